/** Invitations: made, listed and revoked by administrators, accepted by the holder of the link. */
import { Type } from 'typebox';
import {
  acceptInvitation,
  inviteMember,
  listInvitations,
  revokeInvitation,
} from '#core/members/invite-member.ts';
import { actorOf } from '#core/model/member.ts';
import type { Invitation } from '#core/model/one-time-links.ts';
import {
  component,
  flag,
  idField,
  integer,
  option,
  optionalText,
  text,
  time,
} from '#core/operations/fields.ts';
import type { Limits } from '../limits.ts';
import { RoleField } from '../schemas/member.ts';
import type { HttpSettings, Server, Service } from '../service.ts';
import { Me, meJson } from './members.ts';

const tags = ['Members'];
const invitationId = idField('ID of the invitation.', 12);
const expiresAt = time('When the link expires', '2026-03-21T09:26:53.589Z');
const token = text('The one-time token.', 'pXc3n2gq0l6Zc8m4Jb1r7uKd5tQy9wEaHfVsLoNi2xM');

const NewInvitation = component('NewInvitation', 'The person to invite.', {
  role: Type.Optional(RoleField),
  isAdmin: option(
    'Short for the role `administrator`. Without this field and `role`, the person becomes a writer.',
    false,
  ),
  email: optionalText(
    'Address to which the link is mailed, if the wiki has a mail server.',
    'grace@example.org',
  ),
});

const MadeInvitation = component('Invitation', 'A one-time invitation. Its token is shown only once.', {
  id: invitationId,
  token: Type.Optional(token),
  url: optionalText(
    'The link to pass on to the person.',
    'https://wiki.example.org/invite/pXc3n2gq0l6Zc8m4Jb1r7uKd5tQy9wEaHfVsLoNi2xM',
  ),
  mailedTo: optionalText(
    'Address to which the link is mailed. In this case `token` and `url` are left out.',
    'grace@example.org',
  ),
  expiresAt,
});

const OpenInvitation = component(
  'OpenInvitation',
  'An invitation that has not been used, without its token.',
  {
    id: invitationId,
    role: RoleField,
    isAdmin: flag('Whether the person becomes an administrator.', false),
    invitedBy: Type.Union(
      [
        Type.Object({
          id: integer('Member ID.', 3),
          name: text('Name of the member.', 'Ada Lovelace'),
        }),
        Type.Null({ description: 'Whether it was made on the command line.' }),
      ],
      {
        description:
          'The administrator who made it. It is valid only while they are an active administrator and have not ended their sessions by a new passphrase since.',
        examples: [{ id: 3, name: 'Ada Lovelace' }],
      },
    ),
    createdAt: time('When it was made'),
    expiresAt,
  },
);

export async function invitationRoutes(
  server: Server,
  service: Service,
  settings: HttpSettings,
  limits: Limits,
): Promise<void> {
  const { store, passphrases, secrets, clock } = service;

  server.post(
    '/v1/invitations',
    {
      config: {
        audit: ['invitation-made'],
        access: 'required',
        scope: 'members',
        subtree: 'refused',
        answersSecret: true,
      },
      schema: {
        operationId: 'invite',
        tags,
        summary: 'Invite a member',
        description:
          'Makes a one-time link with which a person becomes a member, valid for seven days. For administrators. The link is valid only while its maker is an active administrator and has not ended their own sessions since.',
        body: NewInvitation,
        response: { 200: MadeInvitation },
        problems: ['administrators-only'],
      },
    },
    async (request) => {
      await limits.countInvitation(request);
      const { email, isAdmin } = request.body;
      const role = isAdmin ? 'administrator' : request.body.role;
      const made = await inviteMember(
        { store, secrets, actor: request.actor, now: clock() },
        { role, email },
      );
      return {
        id: made.id,
        ...(made.token === undefined
          ? { mailedTo: made.mailedTo }
          : { token: made.token, url: `${settings.baseUrl}/invite/${made.token}` }),
        expiresAt: new Date(made.expiresAt).toISOString(),
      };
    },
  );

  server.get(
    '/v1/invitations',
    {
      config: { access: 'required', scope: 'members', subtree: 'refused' },
      schema: {
        operationId: 'listInvitations',
        tags,
        summary: 'Open invitations',
        description:
          'All invitations that can still be used, newest first, at most 1,000. For administrators.',
        response: {
          200: Type.Array(OpenInvitation, { description: 'Open invitations, without their tokens.' }),
        },
        problems: ['administrators-only'],
      },
    },
    async (request) => (await listInvitations(store, request.actor, clock())).map(invitationJson),
  );

  server.delete(
    '/v1/invitations/:id',
    {
      config: { audit: ['invitation-revoked'], access: 'required', scope: 'members', subtree: 'refused' },
      schema: {
        operationId: 'revokeInvitation',
        tags,
        summary: 'Revoke an invitation',
        description: 'The link of the invitation no longer works. For administrators.',
        params: Type.Object({ id: invitationId }),
        others: { 204: 'The invitation has been revoked.' },
        problems: ['administrators-only', 'not-found'],
      },
    },
    async (request) => revokeInvitation(store, request.actor, request.params.id),
  );

  server.post(
    '/v1/invitations/accept',
    {
      config: { audit: ['member-joined'], access: 'none' },
      schema: {
        operationId: 'acceptInvitation',
        tags,
        summary: 'Accept an invitation',
        description:
          'Creates the account that the invitation is for. An invitation works once. The first administrator’s account is also created this way.',
        body: component('AcceptInvitation', 'Account of the person who accepts the invitation.', {
          token: text('Token of the invitation.', 'pXc3n2gq0l6Zc8m4Jb1r7uKd5tQy9wEaHfVsLoNi2xM'),
          email: text('E-mail address for signing in. Only administrators can see it.', 'ada@example.org'),
          name: text('Display name.', 'Ada Lovelace'),
          pass: text('Passphrase of at least 12 characters.', 'correct horse battery staple'),
        }),
        response: { 200: Me },
      },
    },
    async (request) => {
      await limits.countInvitation(request);
      const member = await acceptInvitation({ store, passphrases, secrets, now: clock() }, request.body);
      return meJson(actorOf(member, clock()));
    },
  );
}

function invitationJson({ id, role, inviter, createdAt, expiresAt }: Invitation) {
  return {
    id,
    role,
    isAdmin: role === 'administrator',
    invitedBy: inviter && { id: inviter.id, name: inviter.name },
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
  };
}
