/** API tokens, made and revoked by their member. Tokens cannot manage tokens, so that none obtains more rights than it has. */

import { Type } from 'typebox';
import { isoTime } from '#core/model/iso-time.ts';
import { invalid, notSignedIn, Problem } from '#core/model/problem.ts';
import { component, idField, integer, literals, orNull, text, time } from '#core/operations/fields.ts';
import { converted, nothing, operation } from '#core/operations/operation.ts';
import { type ApiToken, scopes } from '#core/ports/credentials.ts';
import { say } from '#words/say.ts';
import { checkToken, type ListedApiToken, maxTokens, readableAncestor } from './tokens.ts';

const exampleEnd = '2027-01-01T00:00:00.000Z';

const name = text('Name by which the member recognises the token.', 'Bird bot');
const scopesField = Type.Array(literals(scopes), {
  description:
    'Rights of the token. `read`: read what the member may read. `write`: create and change pages. `files`: attach files to pages, together with `write`. `members`, for administrators: invite members, change their roles below moderator and manage groups. `admin`: an administrator’s rights on pages; without it an administrator’s token has the rights of an ordinary member. `preview`: read only with `?proposal=ID`, for previews by front ends; such a token must expire within 366 days.',
  examples: [['read', 'write']],
});
const nullable = (description: string, example: string | null, format: { format?: string } = {}) =>
  orNull(Type.String(format), description, example);

const listed = {
  id: integer('ID of the token, for revoking it.', 7),
  name,
  scopes: scopesField,
  ancestor: nullable(
    'Current path of the page that the token is limited to. Null if there is no limit, or if the page can no longer be read; the limit still applies then.',
    '/birds',
  ),
  createdAt: time('When the token was made'),
  expiresAt: nullable('When the token expires. Null if it is valid until it is revoked.', exampleEnd, {
    format: 'date-time',
  }),
  lastUsedAt: nullable(
    'When the token was last used, accurate to five minutes. Null if it was never used.',
    null,
    { format: 'date-time' },
  ),
  lastUsedFrom: nullable('Client address of the last use. Null if the token was never used.', null),
};
const Token = component('ApiToken', 'An API token, without its secret.', listed);
const MadeToken = component('MadeToken', 'An API token that was just made.', {
  ...listed,
  token: text(
    'The secret, which is shown only once. Send it as `Authorization: Bearer <token>`.',
    'cop_4fT0PzvXn1bq8LwQ2cJd7RmK9yHsGe0QQ6aZ',
  ),
});

export function tokenJson({ id, name, scopes, ancestor, lastUsedFrom, ...times }: ListedApiToken) {
  return {
    id,
    name,
    scopes,
    ancestor,
    createdAt: isoTime(times.createdAt),
    expiresAt: isoTime(times.expiresAt),
    lastUsedAt: isoTime(times.lastUsedAt),
    lastUsedFrom,
  };
}

export interface MadeApiToken {
  token: ListedApiToken;
  /** Cannot be shown again. */
  secret: string;
}

export const createToken = operation({
  name: 'createToken',
  summary: 'Make an API token',
  description:
    'A credential for a program that acts as the member within the token’s scopes. It is valid until it is revoked or expires, the member is deactivated, or their passphrase changes. Requires a sign-in with passphrase or provider within the last five minutes; otherwise the response is `insufficient_user_authentication` (RFC 9470). API tokens cannot make tokens.',
  access: 'self',
  scope: 'none',
  recentSignInFor: 'Creating a token',
  refusesBlocked: true,
  input: component('NewToken', 'An API token to be made.', {
    name,
    scopes: scopesField,
    ancestor: Type.Optional(
      nullable(
        'Path of a page. The token writes only there and beneath it; elsewhere it reads what anyone may read. Such a token has only the scopes `read`, `write` and `files`. Null for the whole wiki.',
        '/birds',
      ),
    ),
    expiresAt: Type.Optional(
      nullable('When the token expires, ISO 8601. Null if it is valid until it is revoked.', exampleEnd, {
        format: 'date-time',
      }),
    ),
  }),
  output: converted(MadeToken, ({ token, secret }: MadeApiToken) => ({ ...tokenJson(token), token: secret })),
  answersSecret: true,
  writes: true,
  audit: ['token-made'],
  ports: ['apiTokens', 'apiTokenSecrets', 'members', 'reader'],
  async run({ apiTokens, apiTokenSecrets, members, reader }, { input, by, signIn, now, record }) {
    const checked = checkToken(input, now);
    const page = typeof input.ancestor === 'string' ? await readableAncestor(reader, input.ancestor) : null;
    // Locked, so that a concurrent deactivation or passphrase change removes this token as well.
    const member = await members.lock(by.memberId);
    if (!member?.isActive || (signIn && member.epoch !== signIn.epoch)) throw notSignedIn();
    await apiTokens.removeExpired(member.id, now);
    if ((await apiTokens.listOf(member.id, maxTokens)).length >= maxTokens)
      throw invalid('/name', say('problem.aMemberCanHaveTokensRevokeOne', { maxTokens }));
    const { secret, hash } = apiTokenSecrets.make();
    const limits = { memberId: member.id, ancestorId: page?.id ?? null, createdAt: now, hash };
    const token = await apiTokens.insert({ ...checked, ...limits });
    await record({ kind: 'token-made', ...noted(token) });
    return { token: { ...token, ancestor: page?.path ?? null }, secret };
  },
});

export const listTokens = operation({
  name: 'listTokens',
  summary: 'List my API tokens',
  description: 'All of the member’s API tokens, newest first, without their secrets.',
  access: 'self',
  scope: 'none',
  input: Type.Object({}),
  output: converted(Type.Array(Token, { description: 'At most 100.' }), (tokens: ListedApiToken[]) =>
    tokens.map(tokenJson),
  ),
  ports: ['apiTokens', 'reader'],
  // Expired tokens are listed until the next one is made.
  async run({ apiTokens, reader }, { by }) {
    const tokens = await apiTokens.listOf(by.memberId, maxTokens);
    const ids = new Set(tokens.flatMap(({ ancestorId }) => ancestorId ?? []));
    const pages = ids.size === 0 ? [] : await reader.pages.outlines([...ids]);
    const paths = new Map(pages.map(({ id, path }) => [id, path]));
    return tokens.map((token) => ({ ...token, ancestor: paths.get(token.ancestorId ?? 0) ?? null }));
  },
});

export const revokeToken = operation({
  name: 'revokeToken',
  summary: 'Revoke an API token',
  description: 'The token is invalid at once, in every process.',
  access: 'self',
  scope: 'none',
  input: Type.Object({ id: idField('ID of the token.', 7) }),
  output: nothing('The token has been revoked.'),
  problems: ['not-found'],
  writes: true,
  audit: ['token-revoked'],
  ports: ['apiTokens'],
  async run({ apiTokens }, { input: { id }, by, record }) {
    const token = (await apiTokens.listOf(by.memberId, maxTokens)).find((one) => one.id === id);
    if (!token || !(await apiTokens.remove(by.memberId, id)))
      throw new Problem('not-found', say('problem.youHaveNoSuchTokenItMay'));
    await record({ kind: 'token-revoked', ...noted(token) });
  },
});

/** Subject and note of entries in the audit log. */
function noted({ id, memberId, name, scopes }: ApiToken) {
  const note = `${id} “${name}” (${scopes.join(', ')})`;
  return { subject: { kind: 'member', id: memberId } as const, note };
}
