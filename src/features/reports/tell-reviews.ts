/**
 * Tells of reviews that are due: an event for each, once for each day that was set. It reaches members who watch the page, the one who
 * is responsible, and the change feed.
 */
import { dayOf } from '#core/model/date-words.ts';
import type { Store } from '#core/ports/store.ts';

const atOnce = 50;

/** `makeKey`: makes the key by which a member ends mail without signing in. Returns how many reviews were told. */
export async function tellDueReviews(store: Store, makeKey: () => string, now: number): Promise<number> {
  if (store.writeTrouble()) return 0;
  const day = dayOf(now);
  const found = (await store.reports.unannouncedReviews(day, atOnce)).map(({ pageId }) => pageId);
  if (found.length === 0) return 0;
  return store.transact(async (store) => {
    // Another process may tell of them meanwhile: each page is told while its row is held.
    await store.pages.lockByIds(found, 'update');
    const due = (await store.reports.unannouncedReviews(day, atOnce)).filter(({ pageId }) =>
      found.includes(pageId),
    );
    if (due.length > 0) {
      await store.watches.join(
        [...new Set(due.map(({ responsible }) => responsible))],
        'reviews',
        now,
        makeKey,
      );
      await store.events.record(
        due.map(({ pageId, responsible: editorId }) => ({
          ...({ kind: 'due', pageId, at: now, editorId, msg: '', keepsFacts: true } as const),
        })),
      );
      await store.reports.noteNotified(due);
    }
    return due.length;
  });
}
