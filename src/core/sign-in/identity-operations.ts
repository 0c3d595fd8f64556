/** Provider accounts by which members sign in. Linking and signing in need a browser at the provider. */
import { Type } from 'typebox';
import { isoTime } from '../model/iso-time.ts';
import type { IdentityLink } from '../model/member.ts';
import { component, text, textOrNull, time } from '../operations/fields.ts';
import { answer, converted, nothing, operation } from '../operations/operation.ts';
import type { Claims } from '../ports/credentials.ts';
import type { Device } from '../ports/sessions.ts';
import type { Identity } from '../ports/sign-in-provider.ts';
import { linkIdentity } from './link-identity.ts';
import { listIdentities } from './list-identities.ts';
import { signInByProvider } from './sign-in-by-provider.ts';
import { unlinkIdentity } from './unlink-identity.ts';

const issuer = text('Issuer of the identity.', 'https://github.com');
const subject = text('ID of the account at the issuer.', '583231');

const IdentityObject = component('Identity', 'An account at a provider with which the member signs in.', {
  provider: text('Name of the provider in the settings when the account was linked.', 'github'),
  issuer,
  subject,
  account: textOrNull('E-mail address or user name at the provider.', 'ada'),
  linkedAt: time('When the account was linked'),
});

export const identityList = operation({
  name: 'listIdentities',
  summary: 'List my linked accounts',
  description: 'Accounts at providers with which the member signs in, in order of linking.',
  access: 'self',
  scope: 'none',
  input: Type.Object({}),
  output: converted(
    Type.Array(IdentityObject, { description: 'The accounts.' }),
    (identities: IdentityLink[]) =>
      identities.map(({ memberId: _, linkedAt, ...shown }) => ({ ...shown, linkedAt: isoTime(linkedAt) })),
  ),
  ports: ['store'],
  run: ({ store }, { by }) => listIdentities(store, by),
});

export const identityUnlinking = operation({
  name: 'unlinkIdentity',
  summary: 'Unlink an account',
  description:
    'The account can no longer be used to sign in, and the member is informed by mail. Refused for the only way to sign in.',
  access: 'self',
  scope: 'none',
  input: Type.Object({ issuer, subject }),
  output: nothing('The account has been unlinked.'),
  problems: ['not-found'],
  writes: 'itself',
  audit: ['provider-unlinked'],
  ports: ['store'],
  run: ({ store }, { input, by, now }) => unlinkIdentity(store, by, input, now),
});

/** Identity that a provider has confirmed. `label`: name of the provider for people. */
const account = Type.Unsafe<{ identity: Identity; label: string }>({});

export const identityLinking = operation({
  name: 'linkIdentity',
  summary: 'Link an account',
  description: 'The account at the provider can be used to sign in. The member is informed by mail.',
  access: 'self',
  scope: 'none',
  input: Type.Object({ intent: Type.Unsafe<{ memberId: number }>({}), account }),
  output: answer<IdentityLink>(),
  writes: 'itself',
  audit: ['provider-linked'],
  ports: ['store'],
  run: ({ store }, { input: { intent, account }, by, now }) =>
    linkIdentity({ store, actor: by, now }, intent, account),
});

export const providerSignIn = operation({
  name: 'authenticateByProvider',
  summary: 'Sign in by a provider',
  description: 'Starts a session of the member to whom the account at the provider is linked.',
  access: 'unidentified',
  scope: 'none',
  input: Type.Object({
    account,
    device: Type.Unsafe<Device>({}),
    /** The expected member; any without. */
    memberId: Type.Optional(Type.Integer()),
  }),
  output: answer<Claims>(),
  problems: ['bad-credentials'],
  writes: 'itself',
  audit: ['signed-in', 'sign-in-failed', 'groups-withheld'],
  ports: ['store', 'credentials'],
  run: ({ store, credentials: { sessions } }, { input: { account, device, memberId }, now }) =>
    signInByProvider({ store, sessions, now }, account, device, memberId),
});
