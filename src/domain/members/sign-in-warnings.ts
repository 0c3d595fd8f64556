/** What a member is told when they sign in: that others may have tried to be them. */

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

/** As `signInWarnings`, where the person sees them: failures are counted from anew. */
export async function tellSignInWarnings(
  store: Store,
  memberId: number,
  now: number,
): Promise<SignInWarnings> {
  const warnings = await signInWarnings(store, memberId, now);
  if (warnings.failed) await store.members.clearFailedSignIns(memberId);
  return warnings;
}
