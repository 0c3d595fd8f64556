/** API tokens, made and revoked by their member. */
import { Type } from 'typebox';
import {
  createApiToken,
  type ListedApiToken,
  listApiTokens,
  revokeApiToken,
} from '#core/members/api-tokens.ts';
import { isoTime } from '#core/model/iso-time.ts';
import { component, idField, integer, literals, orNull, text, time } from '#core/operations/fields.ts';
import { scopes } from '#core/ports/credentials.ts';
import type { Server, Service } from '../service.ts';

const tags = ['Members'];
const exampleEnd = '2027-01-01T00:00:00.000Z';

const nameField = text('Name by which the member recognises it.', 'Bird bot');
const scopesField = Type.Array(literals(scopes), {
  description:
    'Rights of the token. `read`: read what the member may read; `write`: create and change pages; `files`: attach files to them, together with `write`; `members`: invite members, change their roles below moderator and keep groups, for administrators; `admin`: an administrator’s rights on pages, without which an administrator’s token has those of any member.',
  examples: [['read', 'write']],
});
const nullable = (description: string, example: string | null, format: { format?: string } = {}) =>
  orNull(Type.String(format), description, example);

const NewToken = component('NewToken', 'An API token to be made.', {
  name: nameField,
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
});

const listed = {
  id: integer('ID of the token, for revoking it.', 7),
  name: nameField,
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
const ApiToken = component('ApiToken', 'An API token, without its secret.', listed);
const MadeToken = component('MadeToken', 'An API token that was just made.', {
  ...listed,
  token: text(
    'The secret, shown this once: send it as `Authorization: Bearer <token>`.',
    'cop_4fT0PzvXn1bq8LwQ2cJd7RmK9yHsGe0QQ6aZ',
  ),
});

export async function tokenRoutes(server: Server, service: Service): Promise<void> {
  const { store, apiTokenSecrets, clock } = service;

  server.post(
    '/v1/tokens',
    {
      config: { audit: ['token-made'], access: 'required', answersSecret: true },
      schema: {
        operationId: 'createToken',
        tags,
        summary: 'Make an API token',
        description:
          'A credential for a program, which acts as the member within its scopes until it is revoked or expires, the member is deactivated, or their passphrase changes. For members whose token comes from a passphrase or provider shown within the last five minutes; others are refused with `insufficient_user_authentication` (RFC 9470). API tokens cannot make tokens.',
        body: NewToken,
        response: { 200: MadeToken },
      },
    },
    async (request) => {
      const { name, scopes, ancestor, expiresAt } = request.body;
      const input = {
        name,
        scopes,
        ancestor: ancestor ?? undefined,
        expiresAt: expiresAt ? Date.parse(expiresAt) : undefined,
      };
      const made = await createApiToken(store, apiTokenSecrets, request.signedIn, input, clock());
      return { ...tokenJson(made.token), token: made.secret };
    },
  );

  server.get(
    '/v1/tokens',
    {
      config: { access: 'required' },
      schema: {
        operationId: 'listTokens',
        tags,
        summary: 'List my API tokens',
        description: 'All of the member’s API tokens, newest first, without their secrets.',
        response: { 200: Type.Array(ApiToken, { description: 'At most 100.' }) },
      },
    },
    async (request) => (await listApiTokens(store, request.actor)).map(tokenJson),
  );

  server.delete(
    '/v1/tokens/:id',
    {
      config: { audit: ['token-revoked'], access: 'required' },
      schema: {
        operationId: 'revokeToken',
        tags,
        summary: 'Revoke an API token',
        description: 'The token is dead at once, in every process.',
        params: Type.Object({
          id: idField('ID of the token.', 7),
        }),
        others: { 204: 'It is revoked.' },
        problems: ['not-found'],
      },
    },
    async (request) => revokeApiToken(store, request.actor, request.params.id),
  );
}

function tokenJson({ id, name, scopes, ancestor, lastUsedFrom, ...times }: ListedApiToken) {
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
