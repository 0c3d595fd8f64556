/** Signing in, staying signed in, and telling who a token speaks for. */

import type {
  Claims,
  OneTimePasswords,
  Passphrases,
  Secrets,
  SignInMethod,
  Tokens,
} from '../ports/credentials.ts';
import type { Store } from '../ports/store.ts';
import { checkSecondFactor } from './check-second-factor.ts';
import type { Member } from './member.ts';
import { badCredentials, type Device, type Sessions, type SignedIn } from './sessions.ts';

export interface Credentials {
  passphrases: Passphrases;
  secrets: Secrets;
  oneTimePasswords: OneTimePasswords;
  sessions: Sessions;
}

export type SignInInput =
  /** `code`: of the second factor. `isSignedIn`: the member has just shown all that a session needs, and only gets a new one. */
  | { email: string; pass: string; code?: string | undefined; isSignedIn?: true }
  /** Whose passphrase was right a moment ago, as the caller knows, and only the code was missing. */
  | { proven: { memberId: number; epoch: number }; code: string }
  | { provider: string; id: string };

/**
 * Begins a session, or Problem `bad-credentials` with the same words and in the same time whatever was wrong; `second-factor-required`
 * where all else was right.
 */
export async function authenticate(
  store: Store,
  credentials: Credentials,
  input: SignInInput,
  device: Device,
  now: number,
): Promise<Claims> {
  const isPassphrase = !('id' in input);
  const found =
    'email' in input
      ? await byPassphrase(store, credentials, input)
      : 'proven' in input
        ? await byProof(store, input.proven)
        : await byHandle(store, credentials, input);
  if (!found?.member.isActive) throw badCredentials();
  if (isPassphrase && !('isSignedIn' in input))
    await checkSecondFactor(store, credentials, found.member.id, input.code, now);
  // A handle lies about in scripts: what it opens is no sign-in of the person.
  const when = { now, signedInAt: isPassphrase ? now : undefined };
  return credentials.sessions.begin(found.member, found.by, device, when);
}

/** Who a token speaks for; undefined if it is not valid any more: expired, forged, or its session has ended. */
export async function identify(
  tokens: Tokens,
  sessions: Sessions,
  token: string,
  now: number,
  isUse = true,
): Promise<SignedIn | undefined> {
  const claims = await tokens.read(token);
  return claims && sessions.find(claims, now, isUse);
}

/** A new token for whoever has a valid one. */
export async function reauthenticate(
  tokens: Tokens,
  sessions: Sessions,
  { claims, session }: SignedIn,
  now: number,
): Promise<string> {
  // Else the session could seem to have been idle before the new token ends.
  await sessions.noted(session);
  return tokens.issue({ ...claims, isCookie: false, issuedAt: now });
}

interface ProvenSignIn {
  member: Member;
  by: SignInMethod;
}

async function byPassphrase(
  store: Store,
  { passphrases }: Credentials,
  { email, pass }: { email: string; pass: string },
): Promise<ProvenSignIn | undefined> {
  const member = await store.members.findByEmail(email.trim());
  // Verified even when nobody is there, so that the time tells nothing.
  const isRight = await passphrases.verify(member?.passphraseHash ?? null, pass);
  return isRight && member ? { member, by: { method: 'passphrase' } } : undefined;
}

async function byProof(
  store: Store,
  { memberId, epoch }: { memberId: number; epoch: number },
): Promise<ProvenSignIn | undefined> {
  const member = await store.members.findById(memberId);
  return member?.epoch === epoch ? { member, by: { method: 'passphrase' } } : undefined;
}

async function byHandle(
  store: Store,
  { secrets }: Credentials,
  { provider, id }: { provider: string; id: string },
): Promise<ProvenSignIn | undefined> {
  // The handle is 32 random bytes and found by its hash: no comparison whose time could be measured.
  const handleHash = secrets.hash(id);
  const handle = await store.members.findHandle(providerName(provider), handleHash);
  const member = handle && (await store.members.findById(handle.memberId));
  return member && { member, by: { method: 'handle', provider: handle.provider, handleHash } };
}

export function providerName(text: string): string {
  return text.trim().toLowerCase();
}
