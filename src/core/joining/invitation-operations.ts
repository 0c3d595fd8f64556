/** Invitations: made, listed and revoked by administrators, accepted by the holder of the link. */
import { Type } from 'typebox';
import { isoTime } from '../model/iso-time.ts';
import type { Member } from '../model/member.ts';
import type { Invitation } from '../model/one-time-links.ts';
import type { Settings } from '../model/settings.ts';
import { component, flag, idField, integer, option, optionalText, text, time } from '../operations/fields.ts';
import { MadeMember, oneTimeToken, RoleField } from '../operations/member-fields.ts';
import { type AnswerTo, answer, converted, nothing, operation } from '../operations/operation.ts';
import type { Identity } from '../ports/sign-in-provider.ts';
import {
  acceptInvitation,
  findInvitation,
  inviteMember,
  listInvitations,
  revokeInvitation,
} from './invite-member.ts';
import { joinByProvider } from './join-by-provider.ts';

const invitationId = idField('ID of the invitation.', 12);
const expiresAt = time('When the link expires', '2026-03-21T09:26:53.589Z');

/** The API shows it with its link. */
export const InvitationObject = component(
  'Invitation',
  'A one-time invitation. Its token is shown only once.',
  {
    id: invitationId,
    token: Type.Optional(oneTimeToken),
    url: optionalText(
      'The link to pass on to the person.',
      'https://wiki.example.org/invite/pXc3n2gq0l6Zc8m4Jb1r7uKd5tQy9wEaHfVsLoNi2xM',
    ),
    mailedTo: optionalText(
      'Address to which the link is mailed. In this case `token` and `url` are left out.',
      'grace@example.org',
    ),
    expiresAt,
  },
);

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
        Type.Null({ description: 'Made on the command line.' }),
      ],
      {
        description:
          'The administrator who made the invitation. It is valid only while this member is an active administrator and has not ended their sessions by a new passphrase since.',
        examples: [{ id: 3, name: 'Ada Lovelace' }],
      },
    ),
    createdAt: time('When the invitation was made'),
    expiresAt,
  },
);

function invitationJson({ id, role, inviter, createdAt, expiresAt }: Invitation) {
  return {
    id,
    role,
    isAdmin: role === 'administrator',
    invitedBy: inviter && { id: inviter.id, name: inviter.name },
    createdAt: isoTime(createdAt),
    expiresAt: isoTime(expiresAt),
  };
}

const managing = { access: 'administrator', scope: 'members' } as const;

export const invitation = operation({
  ...managing,
  name: 'invite',
  summary: 'Invite a member',
  description:
    'Makes a one-time link with which a person becomes a member, valid for seven days. For administrators. The link is valid only while its maker is an active administrator and has not ended their own sessions since.',
  input: component('NewInvitation', 'The person to invite.', {
    role: Type.Optional(RoleField),
    isAdmin: option(
      'Short for the role `administrator`. Without this field and `role`, the person becomes a writer.',
      false,
    ),
    email: optionalText(
      'Address to which the link is mailed, if the wiki has a mail server.',
      'grace@example.org',
    ),
  }),
  output: answer<AnswerTo<typeof inviteMember>>(),
  answersSecret: true,
  writes: 'itself',
  audit: ['invitation-made'],
  ports: ['store', 'secrets'],
  run: ({ store, secrets }, { input: { email, isAdmin, role }, by: actor, now }) =>
    inviteMember({ store, secrets, actor, now }, { role: isAdmin ? 'administrator' : role, email }),
});

export const invitationList = operation({
  ...managing,
  name: 'listInvitations',
  summary: 'Open invitations',
  action: 'list invitations',
  description: 'All invitations that can still be used, newest first, at most 1,000. For administrators.',
  input: Type.Object({}),
  output: converted(
    Type.Array(OpenInvitation, { description: 'Open invitations, without their tokens.' }),
    (open: Invitation[]) => open.map(invitationJson),
  ),
  ports: ['store'],
  run: ({ store }, { now }) => listInvitations(store, now),
});

export const invitationRevocation = operation({
  ...managing,
  name: 'revokeInvitation',
  summary: 'Revoke an invitation',
  description: 'The link of the invitation no longer works. For administrators.',
  input: Type.Object({ id: invitationId }),
  output: nothing('The invitation has been revoked.'),
  problems: ['not-found'],
  writes: 'itself',
  audit: ['invitation-revoked'],
  ports: ['store'],
  run: ({ store }, { input: { id } }) => revokeInvitation(store, id),
});

export const invitationByLink = operation({
  name: 'readInvitation',
  summary: 'Read an invitation',
  description: 'The invitation of a link, if it can still be used.',
  access: 'unidentified',
  scope: 'none',
  input: Type.Object({ token: oneTimeToken }),
  output: answer<Invitation | undefined>(),
  ports: ['store', 'secrets'],
  run: ({ store, secrets }, { input: { token }, now }) => findInvitation(store, secrets, token, now),
});

export const invitationAcceptance = operation({
  name: 'acceptInvitation',
  summary: 'Accept an invitation',
  description:
    'Creates the account that the invitation is for. An invitation works once. The first administrator’s account is also created this way.',
  access: 'unidentified',
  scope: 'none',
  input: component('AcceptInvitation', 'Account of the person who accepts the invitation.', {
    token: text('Token of the invitation.', 'pXc3n2gq0l6Zc8m4Jb1r7uKd5tQy9wEaHfVsLoNi2xM'),
    email: text('E-mail address for signing in. Only administrators can see it.', 'ada@example.org'),
    name: text('Display name.', 'Ada Lovelace'),
    pass: text('Passphrase of at least 12 characters.', 'correct horse battery staple'),
    settings: Type.Optional(Type.Unsafe<Partial<Settings>>({})),
  }),
  output: MadeMember,
  writes: 'itself',
  audit: ['member-joined'],
  ports: ['store', 'credentials'],
  async run({ store, credentials: { passphrases, secrets } }, { input, now }) {
    return { member: await acceptInvitation({ store, passphrases, secrets, now }, input), now };
  },
});

interface Joining {
  identity: Identity;
  label: string;
  token: string;
  email: string;
  name: string;
  settings?: Partial<Settings>;
}

export const joiningByProvider = operation({
  name: 'joinByProvider',
  summary: 'Accept an invitation by a provider',
  description:
    'Creates the account that the invitation is for, with the account at the provider linked to it.',
  access: 'unidentified',
  scope: 'none',
  input: Type.Object({ joining: Type.Unsafe<Joining>({}) }),
  output: answer<Member>(),
  writes: 'itself',
  audit: ['member-joined'],
  ports: ['store', 'secrets'],
  run: ({ store, secrets }, { input: { joining }, now }) => joinByProvider(store, secrets, joining, now),
});
