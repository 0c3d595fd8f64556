/** Stores what was counted and tells of due reviews once a minute, and checks a few links in between, in every process. */
import { dayMs } from '#core/model/iso-time.ts';
import type { Tally } from '#core/ports/report-store.ts';
import type { Store } from '#core/ports/store.ts';
import { keepRounds, type Rounds } from '#scheduling/rounds.ts';
import { type Checking, checkSomeLinks } from './check-links.ts';
import { tellDueReviews } from './tell-reviews.ts';

const checkEveryMs = 10_000;
const countEveryMs = 60_000;
const keptMonths = 12;
const keptSearchesMs = 90 * dayMs;
const keptSearches = 1000;

/** `stop` also stores what was counted. */
export type Reporting = Rounds;

export function keepReporting(
  checking: Checking,
  { tally, makeKey, clock }: { tally: Tally; makeKey: () => string; clock: () => number },
  failed: (error: unknown) => void,
): Reporting {
  let countedAt = clock();
  let forgotAt = Number.NEGATIVE_INFINITY;
  const rounds = keepRounds(
    checkEveryMs,
    async (isStopped) => {
      if (Math.abs(clock() - countedAt) >= countEveryMs) {
        countedAt = clock();
        const isDaily = Math.abs(countedAt - forgotAt) >= dayMs;
        await storeCounts(checking.store, tally, countedAt, isDaily);
        if (isDaily) forgotAt = countedAt;
        await tellDueReviews(checking.store, makeKey, countedAt);
      }
      await checkSomeLinks(checking, clock(), isStopped);
    },
    failed,
  );
  return {
    async stop() {
      await rounds.stop();
      await storeCounts(checking.store, tally, clock()).catch(failed);
    },
  };
}

/**
 * Adds what was counted since the last time, and forgets what is old. Writes nothing if nothing was counted, except if `isDaily`, as
 * nothing is counted any more once administrators no longer want it.
 */
export async function storeCounts(store: Store, tally: Tally, now: number, isDaily = false): Promise<void> {
  if (store.writeTrouble()) return;
  const { reads, searches } = tally.take();
  if (reads.size === 0 && searches.size === 0 && !isDaily) return;
  await store.transact(async ({ reports }) => {
    if (reads.size > 0) await reports.addReads(monthOf(now), reads);
    if (searches.size > 0) await reports.addVainSearches(searches, now - (now % countEveryMs));
    await reports.forget(monthOf(now, keptMonths), now - keptSearchesMs, keptSearches);
  });
}

/** The month so many months ago, such as 2026-03. */
export function monthOf(now: number, ago = 0): string {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - ago)).toISOString().slice(0, 7);
}
