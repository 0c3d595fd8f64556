/** Searches on an engine that plans by statistics: page and total are queried together to save a round trip. */
import type { Range, SearchCriteria } from '#core/ports/list-reads.ts';
import type { Engine } from '../engine.ts';
import { counting, type Predicates } from './criteria.ts';
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
  async uncounted(session, { criteria, predicates, visibility, keep }) {
    const { engine, db } = session;
    const page = rankedIn(engine, criteria, predicates) ?? pageIn(engine, criteria, predicates, false);
    const { statements, unpack } = engine.bundle([page, counting(engine, predicates, visibility)]);
    const results = await Promise.all(statements.map(async (one) => (await one.execute(db)).rows));
    const [found, counted] = unpack(results) as [{ id: number }[], { total: number }[]];
    const total = counted[0]?.total ?? 0;
    keep({ total, each: [], pages: 0 });
    const ids = found.map((row) => row.id);
    if (isFull(ids, criteria, total)) return { ids, total };
    return {
      ids: await idsOf(session, pageIn(engine, criteria, predicates, false), predicates.queue),
      total,
    };
  },
  async counted(session, { criteria, predicates }, { total }) {
    // Only the direction remains to be chosen.
    const { limit, offset, isReversed } = planSearch(criteria, { total, pages: 0, parts: [] });
    if (limit <= 0) return { ids: [], total };
    const range = { ...criteria, limit, offset };
    const ranked = rankedIn(session.engine, range, predicates);
    if (ranked) {
      const ids = await idsOf(session, ranked, predicates.queue);
      if (isFull(ids, range, total)) return { ids, total };
    }
    const page = pageIn(session.engine, range, predicates, isReversed);
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

function pageIn(engine: Engine, criteria: SearchCriteria, predicates: Predicates, isReversed: boolean) {
  const selection = selectionFor(engine, { criteria, predicates, isReversed }, criteria, (one) => {
    const some = collectThenSort(engine, one, criteria);
    return criteria.text && criteria.logic === 'and' ? collectedFirst(some) : some;
  });
  return pageBy(criteria, selection, criteria, isReversed);
}
