/** Warnings that a member gets on sign-in: somebody else may have tried to sign in as them. */

import type { Store } from '../ports/store.ts';
import { resetToldForMs } from './reset-passphrase.ts';

export interface SignInWarnings {
  /** Wrong passphrases since the site last told of any, and when the first of them was. */
  failed?: { count: number; since: number };
  /** Reset links that were used within the last month, and when the latest of them was. */
  resets?: { count: number; lastAt: number };
}

export async function signInWarnings(store: Store, memberId: number, now: number): Promise<SignInWarnings> {
  const [failed, resets] = await Promise.all([
    store.members.findFailedSignIns(memberId),
    store.members.findUsedResetLinks(memberId, now - resetToldForMs),
  ]);
  return { ...(failed ? { failed } : {}), ...(resets ? { resets } : {}) };
}

/** Like `signInWarnings`, for a reply that the person sees: the count of failures is reset. */
export async function tellSignInWarnings(
  store: Store,
  memberId: number,
  now: number,
): Promise<SignInWarnings> {
  const warnings = await signInWarnings(store, memberId, now);
  if (warnings.failed) await store.members.clearFailedSignIns(memberId);
  return warnings;
}
