/** `coppice token`: manages API tokens of all members, including bots, which have no other way to get one. */

import { commandOf, idArgument, UsageError } from '#cli/command/arguments.ts';
import { inWiki, listing } from '#cli/command/in-wiki.ts';
import { print } from '#cli/command/print.ts';
import { memberByNameOrEmail } from '#core/members/member-by-name.ts';
import { isoTime } from '#core/model/iso-time.ts';
import { type Scope, scopes, subtreeScopes } from '#core/ports/credentials.ts';
import { createToken, listTokens, revokeToken, tokenJson } from './operations.ts';
import type { ListedApiToken } from './tokens.ts';

const help = `Usage: coppice token <what> [arguments]

  add EMAIL --name NAME --scope SCOPE...   Makes an API token of a member and prints it as JSON with its secret, which
                                           is not shown again. Scopes:
                                           ${scopes.join(', ')}; --scope
                                           may be repeated. --ancestor PATH limits it to a page and everything beneath,
                                           with no other scopes than ${subtreeScopes.join(', ')};
                                           --expires DATE sets its end, such as 2027-01-31 or 2027-01-31T12:00:00Z.
  list EMAIL [--json]                      Lists the API tokens of a member, newest first, without secrets.
  revoke EMAIL ID                          Revokes an API token at once.

To give a program an account of its own, make a bot: coppice member add EMAIL --name NAME --bot
`;

const added = {
  name: { type: 'string' },
  scope: { type: 'string', multiple: true, default: [] as string[] },
  ancestor: { type: 'string' },
  expires: { type: 'string' },
} as const;

export const run = commandOf('token', help, {
  add: inWiki(['EMAIL'], added, ([email], { name, scope, ancestor, expires }, { io }) => {
    if (name === undefined) throw new UsageError('--name NAME is missing. It says what the token is for.');
    if (scope.length === 0) throw new UsageError(`--scope is missing. Choose from ${scopes.join(', ')}.`);
    // The operation refuses scopes that there are not.
    const input = { name, scopes: scope as Scope[], ...(ancestor === undefined ? {} : { ancestor }) };
    const expiresAt = expires === undefined ? null : readTime(expires);
    return async ({ carry, carryAs }) => {
      const member = await carry(memberByNameOrEmail, { email });
      const made = await carryAs(email, createToken, { ...input, expiresAt });
      print(io, { ...tokenJson(made.token), token: made.secret });
      io.stderr.write(
        `This token acts as ${member.name} and is not shown again. Keep it as safe as a passphrase.\n`,
      );
      return 0;
    };
  }),
  list: listing(['EMAIL'], ({ carryAs }, _, email) => carryAs(email, listTokens, {}), {
    shown: tokenJson,
    row,
    none: 'This member has no API tokens.',
  }),
  revoke: inWiki(['EMAIL', 'ID'], {}, ([email, written]) => {
    const id = idArgument(written, 'token list');
    return async ({ carryAs }) => {
      await carryAs(email, revokeToken, { id });
      return { revoked: id };
    };
  }),
});

/** Returns the time in ISO 8601. */
function readTime(text: string): string {
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw new UsageError(`“${text}” is not a date. Write 2027-01-31 or 2027-01-31T12:00:00Z.`);
  return isoTime(at);
}

function row(token: ListedApiToken): string[] {
  const { id, name, scopes, ancestor, ancestorId, expiresAt, lastUsedAt, lastUsedFrom } = token;
  return [
    String(id),
    name,
    scopes.join(','),
    ancestor ?? (ancestorId === null ? 'the whole wiki' : 'a page that no longer exists'),
    expiresAt === null ? 'until revoked' : `until ${isoTime(expiresAt)}`,
    lastUsedAt === null ? 'never used' : `used ${isoTime(lastUsedAt)} from ${lastUsedFrom}`,
  ];
}
