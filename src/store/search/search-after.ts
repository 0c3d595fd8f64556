/**
 * A page of search results from a position in the order, instead of an offset. The index of the order finds the position, so
 * the thousandth page costs no more than the first.
 */
import { sql } from 'kysely';
import type { Visibility } from '#core/model/permission.ts';
import type { Position, SearchCriteria } from '#core/ports/list-reads.ts';
import type { CursorOrder } from '#core/search/cursor.ts';
import { rowsOf, type Session } from '../statements.ts';
import { type CachedTotals, knownTotal, totalOf } from './cached-totals.ts';
import { allOf, matching, type Predicates, scanInOrder } from './criteria.ts';
import { orderBy, orderColumn } from './order.ts';
import { planSearch } from './plan.ts';
import { collectedFirst } from './selection.ts';

/** `last`: position of the last page, if more follow. The total counts all matches, regardless of the position. */
export async function searchAfter(
  { session, totals, visibility }: { session: Session; totals: CachedTotals; visibility: Visibility },
  criteria: SearchCriteria,
  predicates: Predicates,
): Promise<{ ids: number[]; total: number; last?: Position }> {
  const { engine } = session;
  const { limit, after } = criteria;
  const { found, keep } = await knownTotal(session, totals, criteria, visibility);
  const { total, pages } =
    found ?? keep(await totalOf({ session, totals, visibility }, criteria, predicates));
  const { column, isAscending } = orderColumn(criteria.order as CursorOrder);
  const beyond = isAscending ? sql`>` : sql`<`;
  const from = after?.from;
  const past = from
    ? sql<boolean>`(${column}, p.id) ${beyond} (${from.key}, ${from.id})`
    : sql<boolean>`1 = 1`;
  const plan = planSearch(
    { order: criteria.order, limit: limit + 1, offset: 0 },
    { total, pages, parts: [{ matches: total, isInOrder: false }] },
  );
  const isPlanned = engine.planner === 'store';
  // Statistics do not say how many pages have a word.
  const isText = criteria.text !== undefined && criteria.logic === 'and';
  const isScanned = plan.steps[0] === 'scanInOrder' && (isPlanned || isText);
  const where = isScanned ? scanInOrder(predicates) : matching(predicates);
  const selection = { from: sql`pages p`, where: allOf([past, where]) };
  const isCollected = isText && !isScanned && !isPlanned;
  const matches = isCollected ? collectedFirst(selection) : selection;
  const rows = await rowsOf(
    session,
    sql<Position>`select p.id, ${column} as key from ${matches.from} where ${matches.where}
      order by ${orderBy(criteria, false)} limit ${limit + 1}`,
    predicates.queue,
  );
  const ids = rows.slice(0, limit).map(({ id }) => id);
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { ids, total, ...(last && { last }) };
}
