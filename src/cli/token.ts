/** `coppice token`: manages API tokens of all members, including bots, which have no other way to get one. */

import { addApiToken, type ListedApiToken, listApiTokens, revokeApiToken } from '#core/members/api-tokens.ts';
import { isoTime } from '#core/model/iso-time.ts';
import { scopes, subtreeScopes } from '#core/ports/credentials.ts';
import { commandOf, idArgument, UsageError } from './command/arguments.ts';
import { actorFor } from './command/first-administrator.ts';
import { inWiki, listing } from './command/in-wiki.ts';
import { print } from './command/print.ts';

const help = `Usage: coppice token <what> [arguments]

  add EMAIL --name NAME --scope SCOPE...   Makes an API token of a member and prints it as JSON, with its secret, which
                                           is not shown again. Scopes: ${scopes.join(', ')}; --scope
                                           may be repeated. --ancestor PATH limits it to a page and what lies beneath,
                                           with no scope but ${subtreeScopes.join(', ')};
                                           --expires DATE ends it, such as 2027-01-31 or 2027-01-31T12:00:00Z.
  list EMAIL [--json]                      API tokens of a member, newest first, without their secrets.
  revoke EMAIL ID                          Ends one of them at once.

For a program of its own, make a bot: coppice member add EMAIL --name NAME --bot
`;

const added = {
  name: { type: 'string' },
  scope: { type: 'string', multiple: true, default: [] as string[] },
  ancestor: { type: 'string' },
  expires: { type: 'string' },
} as const;

export const run = commandOf('token', help, {
  add: inWiki(['EMAIL'], added, ([email], { name, scope, ancestor, expires }, { io }) => {
    if (name === undefined) throw new UsageError('--name NAME is missing: what the token is for.');
    if (scope.length === 0) throw new UsageError(`--scope is missing: one of ${scopes.join(', ')}.`);
    const input = {
      name,
      scopes: scope,
      ancestor,
      expiresAt: expires === undefined ? undefined : readTime(expires),
    };
    return async ({ store, apiTokenSecrets }, now) => {
      const actor = await actorFor(store, email);
      const made = await addApiToken(store, apiTokenSecrets, actor, input, now);
      print(io, { ...shown(made.token), token: made.secret });
      io.stderr.write(
        `This token acts as ${actor.name} and is not shown again: keep it like a passphrase.\n`,
      );
      return 0;
    };
  }),
  list: listing(
    ['EMAIL'],
    async ({ store }, _, email) => listApiTokens(store, await actorFor(store, email)),
    {
      ...{ shown, row, none: 'This member has no API token.' },
    },
  ),
  revoke: inWiki(['EMAIL', 'ID'], {}, ([email, written]) => {
    const id = idArgument(written, 'token list');
    return async ({ store }) => {
      await revokeApiToken(store, await actorFor(store, email), id);
      return { revoked: id };
    };
  }),
});

function readTime(text: string): number {
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw new UsageError(`“${text}” is no date: write 2027-01-31 or 2027-01-31T12:00:00Z.`);
  return at;
}

function shown(token: ListedApiToken) {
  const { id, name, scopes, ancestor, createdAt, expiresAt, lastUsedAt, lastUsedFrom } = token;
  return {
    ...{ id, name, scopes, ancestor, createdAt: isoTime(createdAt), expiresAt: isoTime(expiresAt) },
    ...{ lastUsedAt: isoTime(lastUsedAt), lastUsedFrom },
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
