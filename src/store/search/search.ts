/**
 * A page of a search and how many pages match it. PostgreSQL plans by statistics and is asked both at once; SQLite is asked by
 * the total, which is counted once, how best to find the page: see docs/decisions/0017-search-plans.md.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Visibility } from '#domain/permission.ts';
import type { Range, SearchCriteria, SearchOrder } from '#domain/ports/list-reads.ts';
import type { Engine, ReadQueue } from '../engine.ts';
import type { ListRows } from '../parts.ts';
import { rowsOf, type Session } from '../statements.ts';
import { type CachedTotals, fewMatches, knownTotal, type Total, totalOf } from './cached-totals.ts';
import {
  allOf,
  counting,
  dependenciesOf,
  matching,
  type Predicates,
  pagesFor,
  predicatesOf,
  scanInOrder,
  testOf,
} from './criteria.ts';
import { planSearch } from './plan.ts';

type SearchPage = { ids: number[]; total: number };

export async function search(
  session: Session,
  totals: CachedTotals,
  criteria: SearchCriteria,
  visibility: Visibility,
): ReturnType<ListRows['search']> {
  const dependencies = dependenciesOf(criteria);
  const predicates = await predicatesOf(session, criteria, visibility);
  if (!predicates) return { ids: [], total: 0, dependencies };
  const { found: known, keep } = await knownTotal(session, totals, criteria, visibility);
  if (known) return { ...(await pageOfTotal(session, criteria, predicates, known)), dependencies };
  if (session.engine.plansByStatistics) {
    const found = await pageAndTotal(session, criteria, predicates, visibility);
    keep({ total: found.total, each: [], pages: 0 });
    return { ...found, dependencies };
  }
  const few = await fewMatches(session, criteria, predicates, visibility);
  if (few) {
    keep(few.total);
    return { ids: await pageAmong(session, criteria, few.ids), total: few.ids.length, dependencies };
  }
  const total = keep(await totalOf(session, totals, criteria, predicates, visibility));
  return { ...(await pageOfTotal(session, criteria, predicates, total)), dependencies };
}

/** In one question. */
async function pageAndTotal(
  { engine, db }: Session,
  criteria: SearchCriteria,
  predicates: Predicates,
  visibility: Visibility,
): Promise<SearchPage> {
  const selection = selectionFor(engine, criteria, predicates, criteria, false, (one) =>
    collectThenSort(engine, one, criteria),
  );
  const page = pageBy(criteria, selection, criteria, false);
  const { statements, unpack } = engine.bundle([page, counting(engine, predicates, visibility)]);
  const results = await Promise.all(statements.map(async (one) => (await one.execute(db)).rows));
  const [found, counted] = unpack(results) as [{ id: number }[], { total: number }[]];
  return { ids: found.map((row) => row.id), total: counted[0]?.total ?? 0 };
}

/** Sorts known matches and returns one page of them. */
async function pageAmong(session: Session, criteria: SearchCriteria, ids: number[]): Promise<number[]> {
  if (criteria.offset >= ids.length) return [];
  const { engine } = session;
  const from = criteria.order.endsWith('alphabetical') ? engine.pagesById : sql`pages p`;
  const selection = { from, where: engine.among(sql.ref('p.id'), ids) };
  return idsOf(session, pageBy(criteria, selection, criteria, false));
}

async function pageOfTotal(
  session: Session,
  criteria: SearchCriteria,
  predicates: Predicates,
  { total, each, pages }: Total,
): Promise<SearchPage> {
  const { engine } = session;
  const parts =
    predicates.united.length === 0
      ? [{ matches: total, isInOrder: isInOrder(predicates, criteria) }]
      : eachUnited(predicates).map((one, i) => ({
          ...{ matches: each[i] ?? 0, isInOrder: isInOrder(one, criteria) },
        }));
  const { limit, offset, isReversed, steps } = planSearch(criteria, { total, pages, parts });
  if (limit <= 0) return { ids: [], total };
  const ranked = await pageByRank(session, criteria, predicates, limit);
  if (ranked) return { ids: ranked, total };
  const selectionOf = (some: Predicates, i = 0): Selection =>
    steps[i] === 'scanInOrder' && !engine.plansByStatistics
      ? { from: sql`pages p`, where: scanInOrder(some) }
      : collectThenSort(engine, some, criteria);
  const range = { limit, offset };
  const selection = selectionFor(engine, criteria, predicates, range, isReversed, selectionOf);
  const ids = await idsOf(session, pageBy(criteria, selection, range, isReversed), predicates.queue);
  return { ids: isReversed ? ids.reverse() : ids, total };
}

/** By the ranks of some matches alone; undefined where they do not fill the page, or nothing is ranked. */
async function pageByRank(
  session: Session,
  criteria: SearchCriteria,
  { visible, limits, united, queue }: Predicates,
  limit: number,
): Promise<number[] | undefined> {
  const { engine } = session;
  const { order, text, offset } = criteria;
  if (!engine.ranksSome || order !== 'relevance' || !text || united.length > 0) return undefined;
  // The text's own predicate is the last one.
  const others = limits.slice(0, -1).map(testOf);
  const selection = {
    from: sql`${engine.textRanking(text)} as r cross join pages p`,
    where: allOf([sql`p.id = r.id`, visible, ...others]),
  };
  const ids = await idsOf(session, pageBy(criteria, selection, { limit, offset }, false), queue);
  return ids.length === limit ? ids : undefined;
}

async function idsOf(
  session: Session,
  page: RawBuilder<{ id: number }>,
  queue?: ReadQueue,
): Promise<number[]> {
  return (await rowsOf(session, page, queue)).map(({ id }) => id);
}

function pagesAndRanks(engine: Engine, { order, text }: SearchCriteria): RawBuilder<unknown> {
  if (order !== 'relevance' || !text) return sql`pages p`;
  return sql`pages p left join ${engine.textRanking(text)} as r on r.id = p.id`;
}

function pageBy(
  criteria: SearchCriteria,
  { from, where }: Selection,
  { limit, offset }: Range,
  isReversed: boolean,
): RawBuilder<{ id: number }> {
  return sql`select p.id from ${from} where ${where}
    order by ${orderBy(criteria, isReversed)} limit ${limit} offset ${offset}`;
}

/** The index that finds them also has them in order. */
function isInOrder({ limits: [only, ...others] }: Predicates, { order }: SearchCriteria): boolean {
  return only?.isInOrder === true && others.length === 0 && order.endsWith('alphabetical');
}

/** Each of the united predicates with what limits all. */
function eachUnited(predicates: Predicates): Predicates[] {
  return predicates.united.map((one) => ({ ...predicates, limits: [...predicates.limits, one], united: [] }));
}

/** Source of the pages p, and the conditions on them. */
interface Selection {
  from: RawBuilder<unknown>;
  where: RawBuilder<boolean>;
}

/** All matches, for sorting them. */
function collectThenSort(engine: Engine, predicates: Predicates, { order }: SearchCriteria): Selection {
  const from = order.endsWith('alphabetical') ? pagesFor(engine, predicates.limits) : sql`pages p`;
  return { from, where: matching(predicates) };
}

/** `selectionOf`: for the pages that meet all predicates, or of a union the one of this number. The first of all are among the first of each. */
function selectionFor(
  engine: Engine,
  criteria: SearchCriteria,
  predicates: Predicates,
  { limit, offset }: Range,
  isReversed: boolean,
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

/** Total orders: the reversed ones reverse the ties, so that one index serves both directions. */
function orderBy(criteria: SearchCriteria, isReversed: boolean): RawBuilder<unknown> {
  if (criteria.order === 'relevance') {
    // Without words to rank by, what changed last comes first.
    return criteria.text
      ? sql`coalesce(r.title_hit, 0) desc, coalesce(r.rank, 1e9), p.updated_at desc, p.id`
      : orders['most recent update'];
  }
  return orders[isReversed ? reversed[criteria.order] : criteria.order];
}

const orders = {
  alphabetical: sql`p.sort_key, p.id`,
  'reverse alphabetical': sql`p.sort_key desc, p.id desc`,
  'first created': sql`p.created_at, p.id`,
  'last created': sql`p.created_at desc, p.id desc`,
  'oldest update': sql`p.updated_at, p.id`,
  'most recent update': sql`p.updated_at desc, p.id desc`,
} satisfies Record<Exclude<SearchOrder, 'relevance'>, RawBuilder<unknown>>;

const reversed = {
  alphabetical: 'reverse alphabetical',
  'reverse alphabetical': 'alphabetical',
  'first created': 'last created',
  'last created': 'first created',
  'oldest update': 'most recent update',
  'most recent update': 'oldest update',
} satisfies Record<keyof typeof orders, keyof typeof orders>;
