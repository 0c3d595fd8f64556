/** Searches on an engine that plans by statistics: page and total are queried together to save a round trip. */
import type { SearchCriteria } from '#core/ports/list-reads.ts';
import type { Engine } from '../engine.ts';
import { counting, type Predicates } from './criteria.ts';
import { planSearch } from './plan.ts';
import { collectedFirst, collectThenSort, idsOf, pageBy, selectionFor } from './selection.ts';
import type { Strategy } from './strategy.ts';

export const byStatistics: Strategy = {
  async uncounted({ engine, db }, { criteria, predicates, visibility, keep }) {
    const page = pageIn(engine, criteria, predicates, false);
    const { statements, unpack } = engine.bundle([page, counting(engine, predicates, visibility)]);
    const results = await Promise.all(statements.map(async (one) => (await one.execute(db)).rows));
    const [found, counted] = unpack(results) as [{ id: number }[], { total: number }[]];
    const total = counted[0]?.total ?? 0;
    keep({ total, each: [], pages: 0 });
    return { ids: found.map((row) => row.id), total };
  },
  async counted(session, { criteria, predicates }, { total }) {
    // Only the direction remains to be chosen.
    const { limit, offset, isReversed } = planSearch(criteria, { total, pages: 0, parts: [] });
    if (limit <= 0) return { ids: [], total };
    const page = pageIn(session.engine, { ...criteria, limit, offset }, predicates, isReversed);
    const ids = await idsOf(session, page, predicates.queue);
    return { ids: isReversed ? ids.reverse() : ids, total };
  },
};

function pageIn(engine: Engine, criteria: SearchCriteria, predicates: Predicates, isReversed: boolean) {
  const selection = selectionFor(engine, { criteria, predicates, isReversed }, criteria, (one) => {
    const some = collectThenSort(engine, one, criteria);
    return criteria.text && criteria.logic === 'and' ? collectedFirst(some) : some;
  });
  return pageBy(criteria, selection, criteria, isReversed);
}
