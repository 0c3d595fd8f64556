/** Signing in, staying signed in, and identifying the member of a token. */

import { providerName } from '../members/manage-members.ts';
import type { Member } from '../model/member.ts';
import type {
  Claims,
  OneTimePasswords,
  Passphrases,
  Secrets,
  SignInMethod,
  Tokens,
} from '../ports/credentials.ts';
import type { Device, Sessions, SignedIn } from '../ports/sessions.ts';
import type { Store } from '../ports/store.ts';
import { checkSecondFactor } from './check-second-factor.ts';
import { badCredentials } from './sessions.ts';

export interface Credentials {
  passphrases: Passphrases;
  secrets: Secrets;
  oneTimePasswords: OneTimePasswords;
  sessions: Sessions;
}

export type SignInInput =
  /** `code`: code of the second factor. `isSignedIn`: the member has just authenticated fully and only gets a new session. */
  | { email: string; pass: string; code?: string | undefined; isSignedIn?: true }
  /** The passphrase was checked a moment ago; only the code was missing. */
  | { proven: { memberId: number; epoch: number }; code: string }
  | { provider: string; id: string };

/**
 * Starts a session. Refuses `bad-credentials` with the same words and timing for every error, and `second-factor-required` if
 * only the code is missing.
 */
export async function authenticate(
  { store, now }: { store: Store; now: number },
  credentials: Credentials,
  input: SignInInput,
  device: Device,
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
    await checkSecondFactor({ store, now }, credentials, found.member, { code: input.code, device });
  // Handles are stored in scripts, so they do not count as a recent sign-in.
  const when = { now, signedInAt: isPassphrase ? now : undefined };
  return credentials.sessions.begin(found.member, found.by, device, when);
}

/** The member of a token; undefined if it is invalid: expired, forged, or of a session that has ended. */
export async function identify(
  { tokens, sessions, now }: { tokens: Tokens; sessions: Sessions; now: number },
  token: string,
  isUse = true,
): Promise<SignedIn | undefined> {
  const claims = await tokens.read(token);
  return claims && sessions.find(claims, now, isUse);
}

/** Issues a new token to the holder of a valid one. */
export async function reauthenticate(
  tokens: Tokens,
  sessions: Sessions,
  { claims, session }: SignedIn,
  now: number,
): Promise<string> {
  // Otherwise the session could expire before the new token.
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
  // Verified even if there is no such member, so that the timing reveals nothing.
  const isRight = await passphrases.verify(member?.passphraseHash ?? null, pass);
  return isRight && member ? { member, by: { method: 'passphrase' } } : undefined;
}

async function byProof(
  store: Store,
  { memberId, epoch }: { memberId: number; epoch: number },
): Promise<ProvenSignIn | undefined> {
  const member = await store.members.findById(memberId);
  // Without a second factor there is nothing left to prove, so nobody comes this way.
  const factor = await store.secondFactors.find(memberId);
  if (!factor || factor.confirmedAt === null) return undefined;
  return member?.epoch === epoch ? { member, by: { method: 'passphrase' } } : undefined;
}

async function byHandle(
  store: Store,
  { secrets }: Credentials,
  { provider, id }: { provider: string; id: string },
): Promise<ProvenSignIn | undefined> {
  // The handle consists of 32 random bytes and is found by its hash, so no comparison has a measurable time.
  const handleHash = secrets.hash(id);
  const handle = await store.members.findHandle(providerName(provider), handleHash);
  const member = handle && (await store.members.findById(handle.memberId));
  return member && { member, by: { method: 'handle', provider: handle.provider, handleHash } };
}
