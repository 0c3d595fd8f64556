/** Signing up without an invitation, and the waiting list that administrators look through. */
import { type Static, Type } from 'typebox';
import { mayStrangers } from '../members/strangers.ts';
import { isoTime } from '../model/iso-time.ts';
import { component, idField, oneOf, text, time } from '../operations/fields.ts';
import { MadeMember, oneTimeToken, RoleField } from '../operations/member-fields.ts';
import { type AnswerTo, answer, converted, listOf, nothing, operation } from '../operations/operation.ts';
import { rangeFields, rangeOf } from '../operations/paging.ts';
import type { SignUp } from '../ports/sign-up-store.ts';
import { approveSignUp, listSignUps, refuseSignUp } from './approve-sign-up.ts';
import { confirmSignUp, findSignUp, refuseUnlessOpen, signUp } from './sign-up.ts';

const id = idField('ID of the request.', 12);

const Challenge = component(
  'Challenge',
  'Proof of work to solve before signing up, or submitting something without an account. It can be used once, within an hour.',
  {
    parameters: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Parameters of the challenge, ALTCHA version 2. `data.expires` is its expiry time.',
      examples: [
        {
          algorithm: 'PBKDF2/SHA-256',
          cost: 5000,
          data: { expires: 1773483999589 },
          keyLength: 32,
          keyPrefix: '00',
          nonce: '5a1c8f6be2d94c0b',
          salt: '1f0e2d3c4b5a6978',
        },
      ],
    }),
    signature: text('Signature of the parameters.', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b'),
  },
);

export const SignedUp = component('SignedUp', 'The next step, which is the same for every address.', {
  next: oneOf(
    ['confirm', 'wait', 'sign-in'],
    '`confirm`: open the link that is mailed to the address. `wait`: an administrator decides. `sign-in`: the account is ready. It follows only from the settings of the wiki.',
    'confirm',
  ),
});

const WaitingSignUp = component('WaitingSignUp', 'A person who asks for an account.', {
  id,
  email: text('E-mail address of the person.', 'ada@example.org'),
  name: text('Display name.', 'Ada Lovelace'),
  waitingSince: time('When the person began to wait'),
  expiresAt: time('When the request expires', '2026-04-13T09:26:53.589Z'),
});

const signUpJson = ({ id, email, name, waitingSince, createdAt, expiresAt }: SignUp) => ({
  id,
  email,
  name,
  waitingSince: isoTime(waitingSince ?? createdAt),
  expiresAt: isoTime(expiresAt),
});

const joining = { access: 'unidentified', scope: 'none' } as const;
const deciding = { access: 'administrator', scope: 'members' } as const;

export const proofOfWork = operation({
  ...joining,
  name: 'challenge',
  summary: 'Get a proof of work',
  description:
    'Required before signing up, and before commenting or proposing without an account: find a number whose derived key begins with the prefix, as the libraries of ALTCHA do. Refused if members of the wiki need an invitation and people without an account may not comment.',
  input: Type.Object({}),
  output: Challenge,
  problems: ['sign-up-closed'],
  ports: ['store', 'credentials', 'signUpRules'],
  async run({ store, credentials, signUpRules }, { now }) {
    // Strangers who comment need one, too.
    if (!mayStrangers(store, 'comment')) refuseUnlessOpen(signUpRules);
    return (await credentials.proofsOfWork.challenge(now)) as Static<typeof Challenge>;
  },
});

export const signingUp = operation({
  ...joining,
  name: 'signUp',
  summary: 'Sign up',
  description:
    'Only if the wiki allows people to sign up. The response and its time are the same for every address: if the address belongs to a member, that member gets a mail about it, or nothing happens. Limited to thirty attempts in an hour for each client address.',
  input: component('NewSignUp', 'The account that a person asks for.', {
    email: text('E-mail address for signing in. Other members never see it.', 'ada@example.org'),
    name: text('Display name.', 'Ada Lovelace'),
    pass: text('Passphrase of at least 12 characters.', 'correct horse battery staple'),
    proof: text(
      'The solved challenge, as the widget of ALTCHA sends it: base64 of the JSON `{challenge, solution}`.',
      'eyJjaGFsbGVuZ2UiOnsicGFyYW1ldGVycyI6e319fQ==',
    ),
  }),
  output: converted(SignedUp, (next: AnswerTo<typeof signUp>) => ({ next })),
  problems: ['sign-up-closed'],
  writes: 'itself',
  audit: ['signed-up'],
  ports: ['store', 'credentials', 'signUpRules'],
  run: ({ store, credentials, signUpRules }, { input, now }) =>
    signUp({ store, now }, credentials, signUpRules, input),
});

export const signUpByLink = operation({
  ...joining,
  name: 'readSignUp',
  summary: 'Read a sign-up',
  description: 'The sign-up of a mailed link, if it can still be confirmed.',
  input: Type.Object({ token: oneTimeToken }),
  output: answer<AnswerTo<typeof findSignUp>>(),
  ports: ['store', 'secrets'],
  run: ({ store, secrets }, { input: { token }, now }) => findSignUp(store, secrets, token, now),
});

export const signUpConfirmation = operation({
  ...joining,
  name: 'confirmSignUp',
  summary: 'Confirm a sign-up',
  description:
    'Requires the token of the mailed link and the chosen passphrase. Returns 200 with the new member, or 202 if an administrator has to approve the request first.',
  input: component('ConfirmSignUp', 'Link and passphrase.', {
    token: oneTimeToken,
    pass: text('The chosen passphrase.', 'correct horse battery staple'),
  }),
  output: answer<AnswerTo<typeof confirmSignUp>>(),
  problems: ['sign-up-closed'],
  writes: 'itself',
  audit: ['signed-up'],
  ports: ['store', 'credentials', 'signUpRules'],
  run: ({ store, credentials, signUpRules }, { input, now }) =>
    confirmSignUp({ store, now }, credentials, signUpRules, input),
});

export const signUpList = operation({
  ...deciding,
  name: 'signUps',
  summary: 'List sign-up requests',
  description:
    'For administrators: oldest first, at most 1,000. A request expires after 30 days without a decision.',
  input: Type.Object(rangeFields(100)),
  output: listOf(converted(WaitingSignUp, signUpJson), 'The sign-up requests.'),
  ports: ['store'],
  async run({ store }, { input, now }) {
    const { signUps, total } = await listSignUps(store, rangeOf(input, 100), now);
    return { items: signUps, total };
  },
});

export const signUpApproval = operation({
  ...deciding,
  name: 'approveSignUp',
  summary: 'Approve a sign-up request',
  description:
    'For administrators. The new member gets this role, or the role that the wiki gives to members who sign up, and is informed by mail.',
  input: component('ApproveSignUp', 'The role of the new member.', { id, role: Type.Optional(RoleField) }),
  output: MadeMember,
  problems: ['not-found'],
  writes: 'itself',
  audit: ['sign-up-approved'],
  ports: ['store', 'signUpRules'],
  async run({ store, signUpRules }, { input: { id, role = signUpRules.role }, by, now }) {
    return { member: await approveSignUp(store, by, { id, role }, now), now };
  },
});

export const signUpRefusal = operation({
  ...deciding,
  name: 'refuseSignUp',
  summary: 'Refuse a sign-up request',
  description: 'For administrators. The person is informed by mail, and their data is deleted.',
  input: Type.Object({ id }),
  output: nothing('The request has been deleted.'),
  problems: ['not-found'],
  writes: 'itself',
  audit: ['sign-up-refused'],
  ports: ['store'],
  run: ({ store }, { input, now }) => refuseSignUp(store, input.id, now),
});
