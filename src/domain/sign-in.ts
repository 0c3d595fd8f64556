/** Signing in, staying signed in, and telling who a token speaks for. */
import type { Member } from './member.ts';
import type { Actor } from './permission.ts';
import { Problem } from './problem.ts';
import type { Claims, Passphrases, Secrets, Tokens } from './session.ts';
import type { Store } from './store.ts';

export interface Credentials {
  passphrases: Passphrases;
  tokens: Tokens;
  secrets: Secrets;
}

export type SignInInput = { email: string; pass: string } | { provider: string; id: string };

/** A token, or Problem `bad-credentials` with the same words and in the same time whatever was wrong. */
export async function authenticate(
  store: Store,
  credentials: Credentials,
  input: SignInInput,
  now: number,
): Promise<string> {
  const member =
    'email' in input
      ? await byPassphrase(store, credentials, input)
      : await byHandle(store, credentials, input);
  if (!member?.isActive)
    throw new Problem('bad-credentials', 'These credentials could not be authenticated.');
  // A handle lies about in scripts: what it opens is no sign-in of the person.
  const signedIn = 'email' in input ? { signedInAt: now } : {};
  return credentials.tokens.issue({ memberId: member.id, epoch: member.epoch, issuedAt: now, ...signedIn });
}

/** Who a token speaks for; undefined if it is not valid any more: expired, forged, or its member's sessions ended. */
export async function identify(store: Store, tokens: Tokens, token: string): Promise<Actor | undefined> {
  const claims = await tokens.read(token);
  const member = claims && (await memberOf(store, claims));
  return member && { memberId: member.id, name: member.name, isAdmin: member.isAdmin };
}

/** A new token for a valid one. */
export async function reauthenticate(
  store: Store,
  tokens: Tokens,
  token: string,
  now: number,
): Promise<string> {
  const claims = await tokens.read(token);
  const member = claims && (await memberOf(store, claims));
  if (!member) throw new Problem('unauthenticated', 'The token is not valid any more: sign in again.');
  return tokens.issue({ ...claims, issuedAt: now });
}

async function memberOf(store: Store, { memberId, epoch }: Claims): Promise<Member | undefined> {
  const member = await store.members.findById(memberId);
  return member?.isActive && member.epoch === epoch ? member : undefined;
}

async function byPassphrase(
  store: Store,
  { passphrases }: Credentials,
  { email, pass }: { email: string; pass: string },
): Promise<Member | undefined> {
  const member = await store.members.findByEmail(email.trim());
  // Verified even when nobody is there, so that the time tells nothing.
  const isRight = await passphrases.verify(member?.passphraseHash ?? null, pass);
  return isRight ? member : undefined;
}

async function byHandle(
  store: Store,
  { secrets }: Credentials,
  { provider, id }: { provider: string; id: string },
): Promise<Member | undefined> {
  // The handle is 32 random bytes and found by its hash: no comparison whose time could be measured.
  const handle = await store.members.findHandle(providerName(provider), secrets.hash(id));
  return handle && store.members.findById(handle.memberId);
}

export function providerName(text: string): string {
  return text.trim().toLowerCase();
}
