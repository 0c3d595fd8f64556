/** `coppice token`: API tokens of any member by the command line, also of bots, which have no other way to get one. */
import { isoTime } from '#domain/iso-time.ts';
import {
  addApiToken,
  type ListedApiToken,
  listApiTokens,
  revokeApiToken,
} from '#domain/members/api-tokens.ts';
import { scopes } from '#domain/ports/credentials.ts';
import { commandOf, idArgument, readArguments, UsageError, type Work } from './command/arguments.ts';
import type { CommandContext, Terminal } from './command/context.ts';
import { actorFor } from './command/first-administrator.ts';
import { print, table } from './command/print.ts';

const help = `Usage: coppice token <what> [arguments]

  add EMAIL --name NAME --scope SCOPE...   Makes an API token of a member and prints it as JSON, with its secret, which
                                           is not shown again. Scopes: ${scopes.join(', ')}; --scope
                                           may be repeated. --ancestor PATH limits it to a page and what lies beneath;
                                           --expires DATE ends it, such as 2027-01-31 or 2027-01-31T12:00:00Z.
  list EMAIL [--json]                      API tokens of a member, newest first, without their secrets.
  revoke EMAIL ID                          Ends one of them at once.

For a program of its own, make a bot: coppice member add EMAIL --name NAME --bot
`;

const subcommands: Record<string, Work> = { add, list, revoke };

export const run = commandOf('token', help, subcommands);

async function add(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, ['EMAIL'], {
    name: { type: 'string' },
    scope: { type: 'string', multiple: true, default: [] },
    ancestor: { type: 'string' },
    expires: { type: 'string' },
  });
  if (values.name === undefined) throw new UsageError('--name NAME is missing: what the token is for.');
  if (values.scope.length === 0) throw new UsageError(`--scope is missing: one of ${scopes.join(', ')}.`);
  const expiresAt = values.expires === undefined ? undefined : readTime(values.expires);
  await using open = await context.open();
  const actor = await actorFor(open.store, positionals[0]);
  const input = { name: values.name, scopes: values.scope, ancestor: values.ancestor, expiresAt };
  const made = await addApiToken(open.store, open.apiTokenSecrets, actor, input, context.clock());
  print(io, { ...shown(made.token), token: made.secret });
  io.stderr.write(`This token acts as ${actor.name} and is not shown again: keep it like a passphrase.\n`);
  return 0;
}

async function list(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, ['EMAIL'], {
    json: { type: 'boolean', default: false },
  });
  await using open = await context.open();
  const tokens = await listApiTokens(open.store, await actorFor(open.store, positionals[0]));
  if (values.json) print(io, tokens.map(shown));
  else if (tokens.length === 0) io.stderr.write('This member has no API token.\n');
  else io.stdout.write(table(tokens.map(row)));
  return 0;
}

async function revoke(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const [email, written] = readArguments(args, ['EMAIL', 'ID'], {}).positionals;
  const id = idArgument(written, 'token list');
  await using open = await context.open();
  await revokeApiToken(open.store, await actorFor(open.store, email), id);
  print(io, { revoked: id });
  return 0;
}

function readTime(text: string): number {
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw new UsageError(`“${text}” is no date: write 2027-01-31 or 2027-01-31T12:00:00Z.`);
  return at;
}

function shown({
  id,
  name,
  scopes,
  ancestor,
  createdAt,
  expiresAt,
  lastUsedAt,
  lastUsedFrom,
}: ListedApiToken) {
  return {
    id,
    name,
    scopes,
    ancestor,
    createdAt: isoTime(createdAt),
    expiresAt: isoTime(expiresAt),
    lastUsedAt: isoTime(lastUsedAt),
    lastUsedFrom,
  };
}

function row(token: ListedApiToken): string[] {
  const { id, name, scopes, ancestor, ancestorId, expiresAt, lastUsedAt, lastUsedFrom } = token;
  return [
    String(id),
    name,
    scopes.join(','),
    ancestor ?? (ancestorId === null ? 'the whole wiki' : 'a page that is not there'),
    expiresAt === null ? 'until revoked' : `until ${isoTime(expiresAt)}`,
    lastUsedAt === null ? 'never used' : `used ${isoTime(lastUsedAt)} from ${lastUsedFrom}`,
  ];
}
