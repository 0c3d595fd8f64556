/**
 * Review marks: which events no moderator has reviewed. All moderators share them. Changes by moderators and administrators
 * need no review; others wait until they are marked, at most 90 days.
 */
import { say } from '#words/say.ts';
import { type Actor, visibilityOf } from '../model/permission.ts';
import { invalid } from '../model/problem.ts';
import type { Store } from '../ports/store.ts';

export const maxReviewed = 1000;
export const awaitsReviewForMs = 90 * 24 * 60 * 60 * 1000;
const forgottenAtOnce = 1000;

/**
 * Sets or removes the review mark of events. Events that the actor may not see are ignored. Returns the number of changed
 * marks. Refuses `invalid` for too many.
 */
export async function reviewEvents(
  store: Store,
  actor: Actor,
  ids: readonly number[],
  isReviewed: boolean,
): Promise<number> {
  if (ids.length > maxReviewed)
    throw invalid('/ids', say('problem.atMostChangesCanBeMarkedAt', { maxReviewed }));
  if (ids.length === 0) return 0;
  return store.transact((store) => store.events.review(ids, isReviewed, visibilityOf(actor, store)));
}

/** Ends the review of some events that have waited too long. Returns their number. */
export function forgetReviews(store: Store, now: number): Promise<number> {
  return store.transact((store) => store.events.forgetReviews(now - awaitsReviewForMs, forgottenAtOnce));
}
