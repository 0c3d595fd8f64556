/** Reset links: made and revoked by administrators, used by members who forgot their passphrase. */
import { Type } from 'typebox';
import { makeResetLink, resetPassphrase, revokeResetLink } from '#core/members/reset-passphrase.ts';
import { actorOf } from '#core/model/member.ts';
import { component, idField, text, time } from '#core/operations/fields.ts';
import type { Limits } from '../limits.ts';
import type { HttpSettings, Server, Service } from '../service.ts';
import { Me, meJson } from './members.ts';

const tags = ['Members'];
const token = text('The one-time token.', 'pXc3n2gq0l6Zc8m4Jb1r7uKd5tQy9wEaHfVsLoNi2xM');
const params = Type.Object({
  id: idField('ID of the member.', 3),
});

const ResetLink = component(
  'ResetLink',
  'A one-time link to choose a new passphrase. It is shown only once.',
  {
    token,
    url: text(
      'The link to pass on to the member.',
      'https://wiki.example.org/login/reset/pXc3n2gq0l6Zc8m4Jb1r7uKd5tQy9wEaHfVsLoNi2xM',
    ),
    expiresAt: time('When the link expires', '2026-03-14T13:26:53.589Z'),
  },
);

export async function resetLinkRoutes(
  server: Server,
  service: Service,
  settings: HttpSettings,
  limits: Limits,
): Promise<void> {
  const { store, passphrases, secrets, clock } = service;

  server.post(
    '/v1/members/:id/reset-link',
    {
      // Requires a recent sign-in, which API tokens do not have.
      config: { audit: ['reset-link-made'], access: 'required', answersSecret: true },
      schema: {
        operationId: 'makeResetLink',
        tags,
        summary: 'Make a reset link',
        description:
          'Makes a one-time link with which a member chooses a new passphrase, valid for four hours. An older link of the member stops working. For administrators whose token comes from a sign-in with passphrase within the last five minutes; others are refused with `insufficient_user_authentication` (RFC 9470). When the link has been used, the member is informed at the next sign-in.',
        params,
        response: { 200: ResetLink },
        problems: ['administrators-only', 'not-found'],
      },
    },
    async (request) => {
      await limits.countInvitation(request);
      const by = { actor: request.actor, signedInAt: request.signedIn?.claims.signedInAt };
      const made = await makeResetLink({ store, secrets, by, now: clock() }, request.params.id);
      return {
        token: made.token,
        url: `${settings.baseUrl}/login/reset/${made.token}`,
        expiresAt: new Date(made.expiresAt).toISOString(),
      };
    },
  );

  server.delete(
    '/v1/members/:id/reset-link',
    {
      config: { audit: ['reset-link-revoked'], access: 'required', scope: 'members', subtree: 'refused' },
      schema: {
        operationId: 'revokeResetLink',
        tags,
        summary: 'Revoke a reset link',
        description: 'The open link of this member stops working. For administrators.',
        params,
        others: { 204: 'The link has been revoked.' },
        problems: ['administrators-only', 'not-found'],
      },
    },
    async (request) => revokeResetLink(store, request.actor, request.params.id),
  );

  server.post(
    '/v1/members/reset',
    {
      config: { audit: ['passphrase-changed'], access: 'none' },
      schema: {
        operationId: 'resetPassphrase',
        tags,
        summary: 'Choose a new passphrase',
        description:
          'Sets a new passphrase with a reset link, which works once, and ends every session of the member. Returns the member.',
        body: component('ResetPassphrase', 'The link and the new passphrase.', {
          token,
          pass: text('Passphrase of at least 12 characters.', 'correct horse battery staple'),
        }),
        response: { 200: Me },
      },
    },
    async (request) => {
      await limits.countInvitation(request);
      const member = await resetPassphrase({ store, passphrases, secrets, now: clock() }, request.body);
      return meJson(actorOf(member, clock()));
    },
  );
}
