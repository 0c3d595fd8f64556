/** Members who may not write, regardless of a page's permissions: blocked members and readers. */
import { say } from '#words/say.ts';
import { isoTime } from './iso-time.ts';
import type { Actor } from './permission.ts';
import { Problem } from './problem.ts';

/** Refuses `blocked` with reason and end. */
export function refuseBlocked(actor: Actor): void {
  if (!actor?.block) return;
  const { reason, until: end } = actor.block;
  const until = isoTime(end);
  throw new Problem(
    'blocked',
    until === null
      ? say('problem.youAreBlocked', { reason })
      : say('problem.youAreBlockedUntil', { until, reason }),
    { details: { reason, until } },
  );
}

/** Refuses `blocked`, and `not-permitted` for readers. */
export function refuseUnlessWriter(actor: Actor): void {
  refuseBlocked(actor);
  if (actor?.role === 'reader') throw new Problem('not-permitted', say('problem.youAreAReaderOfThisWiki'));
}

/** Whether the actor may create pages wherever they like. */
export function mayCreate(actor: Actor): boolean {
  return actor !== null && actor.role !== 'reader' && actor.role !== 'guest' && !actor.block;
}

/** Refuses `administrators-only` for an administrator without the required second factor, and says so. */
export function refuseWithoutSecondFactor(actor: Actor): void {
  if (actor?.needsSecondFactor)
    throw new Problem('administrators-only', say('problem.thisWikiRequiresAdministratorsToHaveA'));
}
