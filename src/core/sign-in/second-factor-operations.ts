/** A member's second factor: one-time passwords beside the passphrase. */
import { Type } from 'typebox';
import { component, count, flag, idField, text } from '../operations/fields.ts';
import { type AnswerTo, answer, converted, nothing, operation } from '../operations/operation.ts';
import {
  beginSecondFactor,
  begunSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
} from './second-factor.ts';

const again = 'Requires a token from a sign-in within the last five minutes.';

const SecondFactor = component('SecondFactor', 'State of the second factor.', {
  isOn: flag('Whether a code is required.', true),
  recoveryCodesLeft: count('Number of unused recovery codes.', 9),
});

const SecondFactorKey = component('SecondFactorKey', 'Key for the authenticator app.', {
  secret: text('The key, base32.', 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'),
  url: text(
    'The same as the text of a QR code.',
    'otpauth://totp/Wiki:ada%40example.org?issuer=Wiki&secret=JBSWY3DPEHPK3PXP',
  ),
});

const RecoveryCodes = converted(
  component('RecoveryCodes', 'Recovery codes, for the case that the app is lost.', {
    recoveryCodes: Type.Array(Type.String({ examples: ['k7wq-m2xd-9ftp-h4ca'] }), {
      description: 'Each works once in place of a code of the app. They are shown only once.',
      examples: [['k7wq-m2xd-9ftp-h4ca']],
    }),
  }),
  (recoveryCodes: string[]) => ({ recoveryCodes }),
);

/** For members who signed in: API tokens give no access to the account. */
const own = { access: 'self', scope: 'none' } as const;

export const secondFactorState = operation({
  ...own,
  name: 'secondFactor',
  summary: 'Read the state of my second factor',
  description: 'Whether signing in with the passphrase requires a code.',
  input: Type.Object({}),
  output: converted(SecondFactor, ({ isOn, codesLeft }: AnswerTo<typeof getSecondFactor>) => ({
    isOn,
    recoveryCodesLeft: codesLeft,
  })),
  ports: ['store'],
  run: ({ store }, { by }) => getSecondFactor(store, by),
});

export const secondFactorBeginning = operation({
  ...own,
  name: 'beginSecondFactor',
  summary: 'Start adding a second factor',
  description: `Returns a key for an authenticator app (RFC 6238: six digits, 30 seconds, SHA-1). The second factor is required as soon as one of its codes has been confirmed. ${again}`,
  recentSignInFor: 'Adding a second factor',
  input: Type.Object({}),
  output: SecondFactorKey,
  answersSecret: true,
  writes: 'itself',
  audit: [],
  ports: ['store', 'credentials'],
  run: ({ store, credentials }, { signedIn, now }) =>
    beginSecondFactor(store, credentials.oneTimePasswords, signedIn, now),
});

export const secondFactorKey = operation({
  ...own,
  name: 'readSecondFactorKey',
  summary: 'Read the key of my second factor',
  description: 'The key that has not been confirmed yet, if there is one.',
  input: Type.Object({}),
  output: answer<AnswerTo<typeof begunSecondFactor>>(),
  answersSecret: true,
  ports: ['store', 'credentials'],
  run: ({ store, credentials }, { by }) => begunSecondFactor(store, credentials.oneTimePasswords, by),
});

export const secondFactorConfirmation = operation({
  ...own,
  name: 'confirmSecondFactor',
  summary: 'Turn the second factor on',
  description: `Requires a code of the app. From then on \`POST /v1/members/auth\` needs \`code\` in addition to the passphrase. ${again}`,
  recentSignInFor: 'Adding a second factor',
  input: component('ConfirmSecondFactor', 'The code.', {
    code: text('Code that the app shows.', '492039'),
  }),
  output: RecoveryCodes,
  answersSecret: true,
  writes: 'itself',
  audit: ['second-factor-added'],
  ports: ['store', 'credentials'],
  run: ({ store, credentials }, { input, signedIn, now }) =>
    confirmSecondFactor({ store, now }, credentials, signedIn, input.code),
});

export const recoveryCodeRenewal = operation({
  ...own,
  name: 'renewRecoveryCodes',
  summary: 'Make new recovery codes',
  description: `Earlier recovery codes stop working. ${again}`,
  recentSignInFor: 'Making recovery codes',
  input: Type.Object({}),
  output: RecoveryCodes,
  answersSecret: true,
  writes: 'itself',
  audit: ['recovery-codes-made'],
  ports: ['store', 'credentials'],
  run: ({ store, credentials }, { signedIn, now }) => renewRecoveryCodes(store, credentials, signedIn, now),
});

export const secondFactorEnding = operation({
  ...own,
  name: 'endSecondFactor',
  summary: 'Turn my second factor off',
  description: `After that the passphrase is enough to sign in. ${again}`,
  recentSignInFor: 'Turning off a second factor',
  input: Type.Object({}),
  output: nothing('The second factor has been turned off.'),
  problems: ['not-found'],
  writes: 'itself',
  audit: ['second-factor-ended'],
  ports: ['store'],
  run: ({ store }, { signedIn, now }) => endSecondFactor(store, signedIn, now),
});

export const secondFactorReset = operation({
  name: 'resetSecondFactor',
  summary: 'Reset the second factor of a member',
  description: `For a member who has lost app, recovery codes and devices. For administrators. Second factor and passkeys are removed, every session and reset link ends, and the member is informed by mail. ${again}`,
  access: 'administrator',
  scope: 'none',
  recentSignInFor: 'Resetting a second factor',
  input: Type.Object({ id: idField('ID of the member.', 3) }),
  output: nothing('Second factor and passkeys have been removed.'),
  problems: ['not-found'],
  writes: 'itself',
  audit: ['second-factor-ended', 'sessions-ended'],
  ports: ['store'],
  run: ({ store }, { input, now }) => resetSecondFactor(store, input.id, now),
});
