/**
 * Marks that say which events no moderator has reviewed. All moderators share them. What moderators and administrators do needs no
 * review; what others do waits until somebody marks it, at most 90 days.
 */
import { getModerator } from '../members/get-moderator.ts';
import { type Actor, visibilityOf } from '../permission.ts';
import type { Store } from '../ports/store.ts';
import { invalid } from '../problem.ts';

export const maxReviewed = 1000;
export const awaitsReviewForMs = 90 * 24 * 60 * 60 * 1000;
const forgottenAtOnce = 1000;

/**
 * Marks events as reviewed, or takes the mark back. Events that the actor may not see are left alone. Returns how many had another mark.
 * Refuses `unauthenticated`, `moderators-only`, `blocked`, and `invalid` for too many.
 */
export async function reviewEvents(
  store: Store,
  actor: Actor,
  ids: readonly number[],
  isReviewed: boolean,
): Promise<number> {
  await getModerator(store, actor, 'mark changes as reviewed');
  if (ids.length > maxReviewed) throw invalid('/ids', `At most ${maxReviewed} at once.`);
  if (ids.length === 0) return 0;
  return store.transact((store) => store.events.review(ids, isReviewed, visibilityOf(actor)));
}

/** One round: some that have waited for too long wait no more. Returns how many. */
export function forgetReviews(store: Store, now: number): Promise<number> {
  return store.transact((store) => store.events.forgetReviews(now - awaitsReviewForMs, forgottenAtOnce));
}
