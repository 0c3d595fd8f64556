/** Provider accounts by which a member signs in: list and unlink. Linking needs a browser at the provider. */
import { Type } from 'typebox';
import { listIdentities } from '#core/members/list-identities.ts';
import { unlinkIdentity } from '#core/members/unlink-identity.ts';
import { component, text, textOrNull, time } from '#core/operations/fields.ts';
import type { Server, Service } from '../service.ts';

const url = '/v1/members/me/identities';
const issuer = text('Issuer of the identity.', 'https://github.com');
const subject = text('ID of the account at the issuer.', '583231');

const IdentityObject = component('Identity', 'An account at a provider with which the member signs in.', {
  provider: text('Name of the provider in the settings when the account was linked.', 'github'),
  issuer,
  subject,
  account: textOrNull('E-mail address or user name at the provider.', 'ada'),
  linkedAt: time('When it was linked'),
});

export async function identityRoutes(server: Server, { store, clock }: Service): Promise<void> {
  server.get(
    url,
    {
      config: { access: 'required' },
      schema: {
        operationId: 'listIdentities',
        tags: ['Members'],
        summary: 'List my linked accounts',
        description: 'Accounts at providers with which the member signs in, in order of linking.',
        response: { 200: Type.Array(IdentityObject, { description: 'The accounts.' }) },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return (await listIdentities(store, request.actor)).map(({ memberId: _, linkedAt, ...shown }) => ({
        ...shown,
        linkedAt: new Date(linkedAt).toISOString(),
      }));
    },
  );

  server.delete(
    url,
    {
      config: { audit: ['provider-unlinked'], access: 'required' },
      schema: {
        operationId: 'unlinkIdentity',
        tags: ['Members'],
        summary: 'Unlink an account',
        description:
          'The account can no longer be used to sign in, and the member is informed by mail. Refused for the only way to sign in.',
        querystring: Type.Object({ issuer, subject }),
        others: { 204: 'The account has been unlinked.' },
        problems: ['not-found'],
      },
    },
    async (request) => unlinkIdentity(store, request.actor, request.query, clock()),
  );
}
