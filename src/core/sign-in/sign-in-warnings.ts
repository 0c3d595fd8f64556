/** Warnings at sign-in: somebody else may have tried to sign in as this member. */

import type { Store } from '../ports/store.ts';
import { resetWarningMs } from './reset-passphrase.ts';
import { unlessUnwritable } from './sessions.ts';

export interface SignInWarnings {
  /** Number of wrong passphrases since the last warning, and the time of the first. */
  failed?: { count: number; since: number };
  /** Number of reset links used within the last month, and the time of the latest. */
  resets?: { count: number; lastAt: number };
}

/** Failed sign-ins and recently used reset links that a member should hear of at the next sign-in. */
export async function signInWarnings(store: Store, memberId: number, now: number): Promise<SignInWarnings> {
  const [failed, resets] = await Promise.all([
    store.members.findFailedSignIns(memberId),
    store.members.findUsedResetLinks(memberId, now - resetWarningMs),
  ]);
  return { ...(failed ? { failed } : {}), ...(resets ? { resets } : {}) };
}

/** Like `signInWarnings`, for a response that the person sees: resets the count of failures. */
export async function tellSignInWarnings(
  store: Store,
  memberId: number,
  now: number,
): Promise<SignInWarnings> {
  const warnings = await signInWarnings(store, memberId, now);
  if (warnings.failed) await unlessUnwritable(store, () => store.members.clearFailedSignIns(memberId));
  return warnings;
}
