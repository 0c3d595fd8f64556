/** One page of search results as SQL: source, order and direction. */
import { type RawBuilder, sql } from 'kysely';
import type { TextQuery } from '#core/model/terms.ts';
import type { Range, SearchCriteria } from '#core/ports/list-reads.ts';
import type { Engine, ReadQueue } from '../engine.ts';
import { rowsOf, type Session } from '../statements.ts';
import { allOf, matching, type Predicates, pagesFor, testOf } from './criteria.ts';
import { orderBy } from './order.ts';

/** Source of the pages p, and their conditions. */
export interface Selection {
  from: RawBuilder<unknown>;
  where: RawBuilder<boolean>;
}

/** Collects all matches and sorts them. */
export function collectThenSort(
  engine: Engine,
  predicates: Predicates,
  { order }: SearchCriteria,
): Selection {
  const from = order.endsWith('alphabetical') ? pagesFor(engine, predicates.limits) : sql`pages p`;
  return { from, where: matching(predicates) };
}

/**
 * The same, for an engine that does not know how many pages have a word: it expected many, read all pages in order, and compared each
 * with all that have the word. An offset keeps the order out of the inner query.
 */
export function collectedFirst({ from, where }: Selection): Selection {
  return { from: sql`(select p.* from ${from} where ${where} offset 0) as p`, where: sql`1 = 1` };
}

/**
 * `selectionOf`: selects pages that meet all predicates, or those of the united predicate with this number. The first pages
 * overall are among the first of each.
 */
export function selectionFor(
  engine: Engine,
  {
    criteria,
    predicates,
    isReversed,
  }: { criteria: SearchCriteria; predicates: Predicates; isReversed: boolean },
  { limit, offset }: Range,
  selectionOf: (predicates: Predicates, i?: number) => Selection,
): Selection {
  if (criteria.order === 'relevance')
    return { from: pagesAndRanks(engine, criteria), where: matching(predicates) };
  if (predicates.united.length === 0) return selectionOf(predicates);
  const firstOfEach = eachUnited(predicates).map(
    (one, i) =>
      sql`select id from (${pageBy(criteria, selectionOf(one, i), { limit: offset + limit, offset: 0 }, isReversed)}) as first`,
  );
  return { from: sql`pages p`, where: sql`p.id in (${sql.join(firstOfEach, sql` union `)})` };
}

export function pageBy(
  criteria: SearchCriteria,
  { from, where }: Selection,
  { limit, offset }: Range,
  isReversed: boolean,
): RawBuilder<{ id: number }> {
  return sql`select p.id from ${from} where ${where}
    order by ${orderBy(criteria, isReversed)} limit ${limit} offset ${offset}`;
}

export async function idsOf(
  session: Session,
  page: RawBuilder<{ id: number }>,
  queue?: ReadQueue,
): Promise<number[]> {
  return (await rowsOf(session, page, queue)).map(({ id }) => id);
}

/** Each united predicate together with the limiting ones. */
export function eachUnited(predicates: Predicates): Predicates[] {
  return predicates.united.map((one) => ({ ...predicates, limits: [...predicates.limits, one], united: [] }));
}

/** The pages that are ranked, and no others. */
export function rankedPages(ranking: RawBuilder<unknown>, { visible, limits }: Predicates): Selection {
  // The text's own predicate comes last.
  const others = limits.slice(0, -1).map(testOf);
  return {
    from: sql`${ranking} as r cross join pages p`,
    where: allOf([sql`p.id = r.id`, visible, ...others]),
  };
}

/** The text by which the pages are ranked. */
export function rankedBy({ order, text }: SearchCriteria, { united }: Predicates): TextQuery | undefined {
  return order === 'relevance' && united.length === 0 ? text : undefined;
}

function pagesAndRanks(engine: Engine, { order, text }: SearchCriteria): RawBuilder<unknown> {
  if (order !== 'relevance' || !text) return sql`pages p`;
  return sql`pages p left join ${engine.textRanking(text)} as r on r.id = p.id`;
}
