/** API tokens, made and revoked by their member. Tokens cannot manage tokens, so that none obtains more rights than it has. */
import { Type } from 'typebox';
import { isoTime } from '#core/model/iso-time.ts';
import { invalid, notSignedIn, Problem } from '#core/model/problem.ts';
import { component, idField, integer, literals, orNull, text, time } from '#core/operations/fields.ts';
import { converted, nothing, operation } from '#core/operations/operation.ts';
import { type ApiToken, scopes } from '#core/ports/credentials.ts';
import { checkToken, type ListedApiToken, maxTokens, readableAncestor } from './tokens.ts';

const exampleEnd = '2027-01-01T00:00:00.000Z';

const name = text('Name by which the member recognises it.', 'Bird bot');
const scopesField = Type.Array(literals(scopes), {
  description:
    'Rights of the token. `read`: read what the member may read; `write`: create and change pages; `files`: attach files to them, together with `write`; `members`: invite members, change their roles below moderator and keep groups, for administrators; `admin`: an administrator’s rights on pages, without which an administrator’s token has those of any member.',
  examples: [['read', 'write']],
});
const nullable = (description: string, example: string | null, format: { format?: string } = {}) =>
  orNull(Type.String(format), description, example);

const listed = {
  id: integer('ID of the token, for revoking it.', 7),
  name,
  scopes: scopesField,
  ancestor: nullable(
    'Present path of the page that it is limited to. Null: none, or the page cannot be read any more, and then the token is limited all the same.',
    '/birds',
  ),
  createdAt: time('When it was made'),
  expiresAt: nullable('When it ends; null: when it is revoked.', exampleEnd, { format: 'date-time' }),
  lastUsedAt: nullable('When it was last used, to five minutes; null: never.', null, { format: 'date-time' }),
  lastUsedFrom: nullable('Address that it was last used from; null: never used.', null),
};
const Token = component('ApiToken', 'An API token, without its secret.', listed);
const MadeToken = component('MadeToken', 'An API token that was just made.', {
  ...listed,
  token: text(
    'The secret, shown this once: send it as `Authorization: Bearer <token>`.',
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
    'A credential for a program, which acts as the member within its scopes until it is revoked or expires, the member is deactivated, or their passphrase changes. For members whose token comes from a passphrase or provider shown within the last five minutes; others are refused with `insufficient_user_authentication` (RFC 9470). API tokens cannot make tokens.',
  access: 'self',
  scope: 'none',
  recentSignInFor: 'Creating a token',
  refusesBlocked: true,
  input: component('NewToken', 'An API token to be made.', {
    name,
    scopes: scopesField,
    ancestor: Type.Optional(
      nullable(
        'Path of a page: the token writes there and beneath it only, and elsewhere reads what anyone may read. Such a token has only the scopes `read`, `write` and `files`. Null: the whole wiki.',
        '/birds',
      ),
    ),
    expiresAt: Type.Optional(
      nullable('When it ends, ISO 8601; null: when it is revoked.', exampleEnd, { format: 'date-time' }),
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
      throw invalid('/name', `A member can have ${maxTokens} tokens: revoke one that is not used any more.`);
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
  description: 'The token is dead at once, in every process.',
  access: 'self',
  scope: 'none',
  input: Type.Object({ id: idField('ID of the token.', 7) }),
  output: nothing('It is revoked.'),
  problems: ['not-found'],
  writes: true,
  audit: ['token-revoked'],
  ports: ['apiTokens'],
  async run({ apiTokens }, { input: { id }, by, record }) {
    const token = (await apiTokens.listOf(by.memberId, maxTokens)).find((one) => one.id === id);
    if (!token || !(await apiTokens.remove(by.memberId, id)))
      throw new Problem('not-found', 'You have no such token: it may have been revoked already.');
    await record({ kind: 'token-revoked', ...noted(token) });
  },
});

/** Subject and note of entries in the audit log. */
function noted({ id, memberId, name, scopes }: ApiToken) {
  const note = `${id} “${name}” (${scopes.join(', ')})`;
  return { subject: { kind: 'member', id: memberId } as const, note };
}
