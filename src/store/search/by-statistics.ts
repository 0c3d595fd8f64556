/**
 * Searches on an engine that plans by statistics: page and total are queried together to save a round trip. Statistics do not say how
 * many pages have a word, so a page of these in the order of a column is planned by their number.
 */
import { sql } from 'kysely';
import type { Range, SearchCriteria } from '#core/ports/list-reads.ts';
import type { Engine } from '../engine.ts';
import { totalOf } from './cached-totals.ts';
import { counting, type Predicates, scanInOrder } from './criteria.ts';
import { planSearch } from './plan.ts';
import {
  collectedFirst,
  collectThenSort,
  idsOf,
  pageBy,
  rankedBy,
  rankedPages,
  selectionFor,
} from './selection.ts';
import type { Strategy } from './strategy.ts';

export const byStatistics: Strategy = {
  async uncounted(session, search) {
    const { criteria, predicates, visibility, totals, keep } = search;
    if (isTextInOrder(criteria, predicates)) {
      const total = keep(await totalOf({ session, totals, visibility }, criteria, predicates));
      return byStatistics.counted(session, search, total);
    }
    const { engine, db } = session;
    const page = rankedIn(engine, criteria, predicates) ?? pageIn(engine, criteria, predicates, false);
    const count = sql`select total, (select max(id) from pages) as pages
      from (${counting(engine, predicates, visibility)}) as counted`;
    const { statements, unpack } = engine.bundle([page, count]);
    const results = await Promise.all(statements.map(async (one) => (await one.execute(db)).rows));
    const [found, counted] = unpack(results) as [{ id: number }[], { total: number; pages: number }[]];
    const { total = 0, pages = 0 } = counted[0] ?? {};
    keep({ total, each: [], pages });
    const ids = found.map((row) => row.id);
    if (isFull(ids, criteria, total)) return { ids, total };
    return {
      ids: await idsOf(session, pageIn(engine, criteria, predicates, false), predicates.queue),
      total,
    };
  },
  async counted(session, { criteria, predicates }, { total, pages }) {
    const parts = isTextInOrder(criteria, predicates) ? [{ matches: total, isInOrder: false }] : [];
    const { limit, offset, isReversed, steps } = planSearch(criteria, { total, pages, parts });
    if (limit <= 0) return { ids: [], total };
    const range = { ...criteria, limit, offset };
    const ranked = rankedIn(session.engine, range, predicates);
    if (ranked) {
      const ids = await idsOf(session, ranked, predicates.queue);
      if (isFull(ids, range, total)) return { ids, total };
    }
    const page =
      steps[0] === 'scanInOrder'
        ? pageBy(range, { from: sql`pages p`, where: scanInOrder(predicates) }, range, isReversed)
        : pageIn(session.engine, range, predicates, isReversed);
    const ids = await idsOf(session, page, predicates.queue);
    return { ids: isReversed ? ids.reverse() : ids, total };
  },
};

/** The page among the matches that are ranked; undefined if nothing is. */
function rankedIn(engine: Engine, criteria: SearchCriteria, predicates: Predicates) {
  const text = rankedBy(criteria, predicates);
  return text && pageBy(criteria, rankedPages(engine.textRanking(text), predicates), criteria, false);
}

function isFull(ids: readonly number[], { limit, offset }: Range, total: number): boolean {
  return ids.length >= Math.min(limit, total - offset);
}

/** Whether pages with a text are read in the order of a column. */
function isTextInOrder({ text, order }: SearchCriteria, { united }: Predicates): boolean {
  return text !== undefined && order !== 'relevance' && united.length === 0;
}

function pageIn(engine: Engine, criteria: SearchCriteria, predicates: Predicates, isReversed: boolean) {
  const selection = selectionFor(engine, { criteria, predicates, isReversed }, criteria, (one) => {
    const some = collectThenSort(engine, one, criteria);
    return isTextInOrder(criteria, predicates) ? collectedFirst(some) : some;
  });
  return pageBy(criteria, selection, criteria, isReversed);
}
