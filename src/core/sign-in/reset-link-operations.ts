/** Reset links: requested by members who forgot their passphrase, made and revoked by administrators. */
import { Type } from 'typebox';
import type { Member } from '../model/member.ts';
import { component, idField, text, time } from '../operations/fields.ts';
import { MadeMember, oneTimeToken } from '../operations/member-fields.ts';
import { type AnswerTo, answer, nothing, operation } from '../operations/operation.ts';
import { askForPassphrase } from './forgotten-passphrase.ts';
import { findResetLink, makeResetLink, resetPassphrase, revokeResetLink } from './reset-passphrase.ts';

const id = idField('ID of the member.', 3);

/** The API shows it with its link. */
export const ResetLink = component(
  'ResetLink',
  'A one-time link to choose a new passphrase. It is shown only once.',
  {
    token: oneTimeToken,
    url: text(
      'The link to pass on to the member.',
      'https://wiki.example.org/login/reset/pXc3n2gq0l6Zc8m4Jb1r7uKd5tQy9wEaHfVsLoNi2xM',
    ),
    expiresAt: time('When the link expires', '2026-03-14T13:26:53.589Z'),
  },
);

export const forgottenPassphrase = operation({
  name: 'forgotPassphrase',
  summary: 'Request a new passphrase',
  description:
    'If a member has this address, a link to choose a new passphrase is mailed there. It works once, within an hour. The response and its time are the same for every address. Without a mail server, administrators see the request and pass on the link.',
  access: 'unidentified',
  scope: 'none',
  input: component('ForgotPassphrase', 'E-mail address of the member.', {
    email: text('E-mail address.', 'ada@example.org'),
  }),
  output: nothing('The request has been received.'),
  writes: 'itself',
  audit: [],
  ports: ['store'],
  run: ({ store }, { input, now }) => askForPassphrase(store, input.email, now),
});

export const resetLinkMaking = operation({
  name: 'makeResetLink',
  summary: 'Make a reset link',
  description:
    'Makes a one-time link with which a member chooses a new passphrase, valid for four hours. An older link of the member stops working. For administrators whose token comes from a sign-in with passphrase within the last five minutes; others are refused with `insufficient_user_authentication` (RFC 9470). When the link has been used, the member is informed at the next sign-in.',
  access: 'administrator',
  // API tokens have no recent sign-in.
  scope: 'none',
  recentSignInFor: 'Making a reset link',
  input: Type.Object({ id }),
  output: answer<AnswerTo<typeof makeResetLink>>(),
  problems: ['not-found'],
  answersSecret: true,
  writes: 'itself',
  audit: ['reset-link-made'],
  ports: ['store', 'secrets'],
  run: ({ store, secrets }, { input, by, now }) => makeResetLink({ store, secrets, by, now }, input.id),
});

export const resetLinkRevocation = operation({
  name: 'revokeResetLink',
  summary: 'Revoke a reset link',
  description: 'The open link of this member stops working. For administrators.',
  access: 'administrator',
  scope: 'members',
  input: Type.Object({ id }),
  output: nothing('The link has been revoked.'),
  problems: ['not-found'],
  writes: 'itself',
  audit: ['reset-link-revoked'],
  ports: ['store'],
  run: ({ store }, { input }) => revokeResetLink(store, input.id),
});

export const memberByResetLink = operation({
  name: 'readResetLink',
  summary: 'Read a reset link',
  description: 'The member of a reset link, if it can still be used.',
  access: 'unidentified',
  scope: 'none',
  input: Type.Object({ token: oneTimeToken }),
  output: answer<Member | undefined>(),
  ports: ['store', 'secrets'],
  run: ({ store, secrets }, { input: { token }, now }) => findResetLink(store, secrets, token, now),
});

export const passphraseReset = operation({
  name: 'resetPassphrase',
  summary: 'Choose a new passphrase',
  description:
    'Sets a new passphrase with a reset link, which works once, and ends every session of the member. Returns the member.',
  access: 'unidentified',
  scope: 'none',
  input: component('ResetPassphrase', 'The link and the new passphrase.', {
    token: oneTimeToken,
    pass: text('Passphrase of at least 12 characters.', 'correct horse battery staple'),
  }),
  output: MadeMember,
  writes: 'itself',
  audit: ['passphrase-changed'],
  ports: ['store', 'credentials'],
  async run({ store, credentials: { passphrases, secrets } }, { input, now }) {
    return { member: await resetPassphrase({ store, passphrases, secrets, now }, input), now };
  },
});
