/** A member's passkeys, and signing in by passkey. */
import { type Static, Type } from 'typebox';
import { isoTime } from '../model/iso-time.ts';
import {
  component,
  exampleTime,
  flag,
  idField,
  integer,
  text,
  time,
  timeOrNull,
} from '../operations/fields.ts';
import { answer, converted, nothing, operation } from '../operations/operation.ts';
import type { Claims } from '../ports/credentials.ts';
import type { Passkey } from '../ports/passkeys.ts';
import type { Device } from '../ports/sessions.ts';
import {
  addPasskey,
  beginPasskey,
  listPasskeys,
  maxPasskeyNameLength,
  maxPasskeys,
  passkeyRequest,
  removePasskey,
  renamePasskey,
  signInByPasskey,
} from './passkeys.ts';

const PasskeyObject = component('Passkey', 'A passkey of the member.', {
  id: integer('ID of the passkey.', 2, { minimum: 1 }),
  name: text('Name that the member gave the passkey.', 'Phone'),
  isSynced: flag(
    'Whether copies of the passkey are kept on other devices, so that it survives the loss of one.',
    true,
  ),
  createdAt: time('When the passkey was added'),
  lastUsedAt: timeOrNull(
    'When the passkey was last used to sign in, ISO 8601 in UTC. Null if never.',
    exampleTime,
  ),
});

const passkeyJson = ({
  id,
  name,
  isSynced,
  createdAt,
  lastUsedAt,
}: Passkey): Static<typeof PasskeyObject> => ({
  id,
  name,
  isSynced,
  createdAt: isoTime(createdAt),
  lastUsedAt: isoTime(lastUsedAt),
});

const Options = converted(
  component('PasskeyOptions', 'Options for WebAuthn.', {
    options: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Options for the browser, in the JSON form of WebAuthn Level 3. Their challenge can be answered once, within five minutes.',
      examples: [
        { challenge: 'ZXlKaGJHY2lPaUprYVhJ', rpId: 'wiki.example.org', userVerification: 'required' },
      ],
    }),
  }),
  (options: Record<string, unknown>) => ({ options }),
);

export const passkeyCredential = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The browser’s `PublicKeyCredential`, as its `toJSON()` returns it.',
  examples: [{ id: 'q2xhc3M', rawId: 'q2xhc3M', type: 'public-key', response: {} }],
});
const name = text(`Name of the passkey, up to ${maxPasskeyNameLength} characters.`, 'Phone');
const id = idField('ID of the passkey.', 2);
/** Address of the wiki in the caller's browser. Faces give it. */
const address = Type.String();

/** For members who signed in: API tokens give no access to the account. */
const own = { access: 'self', scope: 'none' } as const;
const signingIn = { access: 'unidentified', scope: 'none' } as const;

export const passkeyList = operation({
  ...own,
  name: 'listPasskeys',
  summary: 'List my passkeys',
  description: 'In order of adding.',
  input: Type.Object({}),
  output: converted(
    Type.Array(PasskeyObject, { description: `At most ${maxPasskeys}.` }),
    (passkeys: Passkey[]) => passkeys.map(passkeyJson),
  ),
  ports: ['store'],
  run: ({ store }, { by }) => listPasskeys(store, by),
});

export const passkeyBeginning = operation({
  ...own,
  name: 'beginPasskey',
  summary: 'Start adding a passkey',
  description:
    'Options for `PublicKeyCredential.parseCreationOptionsFromJSON()` and `navigator.credentials.create()`. Requires a token from a sign-in within the last five minutes. Passkeys belong to the host name in `COPPICE_URL`. If it is not set or contains an IP address, this is refused, except on `localhost`.',
  recentSignInFor: 'Adding a passkey',
  input: Type.Object({ address }),
  output: Options,
  answersSecret: true,
  writes: 'itself',
  audit: [],
  ports: ['store', 'credentials'],
  run: ({ store, credentials: { passkeys } }, { input, signedIn, now }) =>
    beginPasskey({ store, passkeys, now }, signedIn, input.address),
});

export const passkeyAddition = operation({
  ...own,
  name: 'addPasskey',
  summary: 'Add a passkey',
  description:
    'Takes the response of the browser. The member is informed by mail. Requires a token from a sign-in within the last five minutes.',
  recentSignInFor: 'Adding a passkey',
  input: component('NewPasskey', 'The response of the browser, and a name.', {
    credential: passkeyCredential,
    name: Type.Optional(name),
    address,
  }),
  output: converted(PasskeyObject, passkeyJson),
  writes: 'itself',
  audit: ['passkey-added'],
  ports: ['store', 'credentials'],
  run: ({ store, credentials: { passkeys } }, { input: { address, name = '', ...input }, signedIn, now }) =>
    addPasskey({ store, passkeys, now }, signedIn, { ...input, name }, address),
});

export const passkeyRenaming = operation({
  ...own,
  name: 'renamePasskey',
  summary: 'Rename a passkey',
  description: 'Only the member sees the name.',
  input: component('PasskeyName', 'The new name.', { id, name }),
  output: nothing('The passkey has been renamed.'),
  problems: ['not-found'],
  writes: 'itself',
  audit: [],
  ports: ['store'],
  run: ({ store }, { input, by }) => renamePasskey(store, by, input.id, input.name),
});

export const passkeyRemoval = operation({
  ...own,
  name: 'removePasskey',
  summary: 'Remove a passkey',
  description:
    'The passkey can no longer be used to sign in, and sessions that were started with it end. The member is informed by mail. The only way to sign in to an account cannot be removed.',
  input: Type.Object({ id }),
  output: nothing('The passkey has been removed.'),
  problems: ['not-found'],
  writes: 'itself',
  audit: ['passkey-removed'],
  ports: ['store'],
  run: ({ store }, { input, by, now }) => removePasskey(store, by, input.id, now),
});

export const passkeySignInBeginning = operation({
  ...signingIn,
  name: 'beginPasskeySignIn',
  summary: 'Start signing in with a passkey',
  description:
    'Options for `PublicKeyCredential.parseRequestOptionsFromJSON()` and `navigator.credentials.get()`. They contain no account name: the browser offers its own passkeys of this wiki.',
  input: Type.Object({ address }),
  output: Options,
  writes: 'itself',
  audit: [],
  ports: ['credentials'],
  run: ({ credentials }, { input }) => passkeyRequest(credentials.passkeys, input.address),
});

export const passkeySignIn = operation({
  ...signingIn,
  name: 'authenticateByPasskey',
  summary: 'Sign in with a passkey',
  description:
    'Starts a session with the response of the browser. A passkey counts as both factors, so no code is required. The response never says what was wrong.',
  input: component('PasskeySignIn', 'The answer.', {
    credential: passkeyCredential,
    address,
    device: Type.Unsafe<Device>({}),
    /** The expected member; any without. */
    memberId: Type.Optional(Type.Integer()),
  }),
  output: answer<Claims>(),
  problems: ['bad-credentials'],
  writes: 'itself',
  audit: ['signed-in', 'sign-in-failed'],
  ports: ['store', 'credentials'],
  run: ({ store, credentials }, { input: { credential, address, device, memberId }, now }) =>
    signInByPasskey({ store, address, device, now }, credentials, credential, memberId),
});
