/**
 * Wikis that require a second factor of administrators: until they add one, they have the rights of a writer. Looked up for
 * each request, so that adding and removing it takes effect at once.
 */

import type { Member } from '../model/member.ts';
import type { Actor } from '../model/permission.ts';
import { Problem } from '../model/problem.ts';
import type { SignInMethod } from '../ports/credentials.ts';
import type { Store } from '../ports/store.ts';

export const secondFactorRules = ['none', 'administrators'] as const;
/** Members who are required to have one. */
export type SecondFactorRule = (typeof secondFactorRules)[number];

/** The actor with the rights that the rule grants. `by`: how the session was started, or an API token. */
export async function actorUnder(
  rule: SecondFactorRule,
  store: Store,
  { id, isAdmin, isBot }: Member,
  actor: NonNullable<Actor>,
  by: SignInMethod['method'] | 'token',
): Promise<NonNullable<Actor>> {
  // Bots cannot sign in and so cannot have a second factor.
  if (rule === 'none' || !isAdmin || isBot || (await hasSecondFactor(store, id, by))) return actor;
  return { ...actor, isAdmin: false, needsSecondFactor: true };
}

/**
 * The only place that decides what counts. A passkey counts as two factors for a session that it started, but not for one that
 * a passphrase started.
 */
async function hasSecondFactor(
  store: Store,
  memberId: number,
  by: SignInMethod['method'] | 'token',
): Promise<boolean> {
  if (by === 'passkey') return true;
  const factor = await store.secondFactors.find(memberId);
  if (factor && factor.confirmedAt !== null) return true;
  return by === 'token' && (await store.passkeys.listOf(memberId)).length > 0;
}

/** Refuses `administrators-only` for an administrator without the required second factor, and says so. */
export function refuseWithoutSecondFactor(actor: Actor): void {
  if (actor?.needsSecondFactor)
    throw new Problem(
      'administrators-only',
      'This wiki requires administrators to have a second factor. Add one at /account/second-factor, or sign in with a passkey. Until then you have the rights of a writer.',
    );
}
