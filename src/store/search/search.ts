/** A page of search results and the total. */
import type { Visibility } from '#core/model/permission.ts';
import type { SearchCriteria } from '#core/ports/list-reads.ts';
import type { Planner } from '../engine.ts';
import type { ListRows } from '../parts.ts';
import type { Session } from '../statements.ts';
import { byCounts } from './by-counts.ts';
import { byStatistics } from './by-statistics.ts';
import { type CachedTotals, knownTotal } from './cached-totals.ts';
import { dependenciesOf, predicatesOf } from './criteria.ts';
import { searchAfter } from './search-after.ts';
import { searchTree } from './search-tree.ts';
import type { Strategy } from './strategy.ts';

const strategies: Record<Planner, Strategy> = { store: byCounts, engine: byStatistics };

export async function search(
  session: Session,
  totals: CachedTotals,
  visibility: Visibility,
  criteria: SearchCriteria,
): ReturnType<ListRows['search']> {
  const dependencies = dependenciesOf(criteria);
  const predicates = await predicatesOf(session, criteria, visibility);
  if (!predicates) return { ids: [], total: 0, dependencies };
  if (criteria.order === 'tree') {
    const { ancestorId } = criteria;
    if (ancestorId === undefined) return { ids: [], total: 0, dependencies };
    const found = await searchTree({ session, totals, visibility }, { ...criteria, ancestorId }, predicates);
    return { ...found, dependencies };
  }
  if (criteria.after) {
    const found = await searchAfter({ session, totals, visibility }, criteria, predicates);
    return { ...found, dependencies };
  }
  const { found: total, keep } = await knownTotal(session, totals, criteria, visibility);
  const { counted, uncounted } = strategies[session.engine.planner];
  const given = { criteria, predicates, visibility, totals, keep };
  const page = await (total ? counted(session, given, total) : uncounted(session, given));
  return { ...page, dependencies };
}
