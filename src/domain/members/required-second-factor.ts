/**
 * Wikis that require a second factor of administrators: without one they sign in, and have the rights of a writer until they add it. Looked
 * up with each request, so that adding and ending one count at once.
 */
import type { Actor } from '../permission.ts';
import type { SignInMethod } from '../ports/credentials.ts';
import type { Store } from '../ports/store.ts';
import { Problem } from '../problem.ts';
import type { Member } from './member.ts';

export const secondFactorRules = ['none', 'administrators'] as const;
/** Members whom the wiki requires one of. */
export type SecondFactorRule = (typeof secondFactorRules)[number];

/** The actor as far as the rule lets them. `by`: how the session began, or an API token. */
export async function actorUnder(
  rule: SecondFactorRule,
  store: Store,
  { id, isAdmin, isBot }: Member,
  actor: NonNullable<Actor>,
  by: SignInMethod['method'] | 'token',
): Promise<NonNullable<Actor>> {
  // Nobody signs in as a bot, which could add none.
  if (rule === 'none' || !isAdmin || isBot || (await hasSecondFactor(store, id, by))) return actor;
  return { ...actor, isAdmin: false, needsSecondFactor: true };
}

/**
 * The one place that decides what counts. A passkey is two factors in itself for the session that it began; it is none for one that the
 * passphrase alone began.
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

/** Refuses `administrators-only` for an administrator who lacks the second factor, and says so. */
export function refuseWithoutSecondFactor(actor: Actor): void {
  if (actor?.needsSecondFactor)
    throw new Problem(
      'administrators-only',
      'This wiki requires a second factor of its administrators: add one at /account/second-factor, or sign in with a passkey. Until then you have the rights of a writer.',
    );
}
