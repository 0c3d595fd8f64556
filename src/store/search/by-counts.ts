/**
 * Searches on an engine that does not plan by statistics: matches are counted first, once for all pages of results, and the
 * counts decide how a page of results is found. See docs/decisions/0017-search-plans.md.
 */
import { sql } from 'kysely';
import type { SearchCriteria } from '#core/ports/list-reads.ts';
import type { Session } from '../statements.ts';
import { fewMatches, type Total, totalOf } from './cached-totals.ts';
import { type Predicates, scanInOrder } from './criteria.ts';
import { planSearch } from './plan.ts';
import {
  collectThenSort,
  eachUnited,
  idsOf,
  pageBy,
  rankedBy,
  rankedPages,
  type Selection,
  selectionFor,
} from './selection.ts';
import type { SearchPage, Strategy } from './strategy.ts';

export const byCounts: Strategy = {
  async uncounted(session, search) {
    const { criteria, predicates, visibility, totals, keep } = search;
    const few = await fewMatches(session, criteria, predicates, visibility);
    if (few) {
      keep(few.total);
      return { ids: await pageAmong(session, criteria, few.ids), total: few.ids.length };
    }
    const total = keep(await totalOf({ session, totals, visibility }, criteria, predicates));
    return pageOfTotal(session, criteria, predicates, total);
  },
  counted: (session, { criteria, predicates }, total) => pageOfTotal(session, criteria, predicates, total),
};

/** Sorts known matches and returns one page of them. */
async function pageAmong(session: Session, criteria: SearchCriteria, ids: number[]): Promise<number[]> {
  if (criteria.limit === 0 || criteria.offset >= ids.length) return [];
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
  const parts =
    predicates.united.length === 0
      ? [{ matches: total, isInOrder: isInOrder(predicates, criteria) }]
      : eachUnited(predicates).map((one, i) => ({
          matches: each[i] ?? 0,
          isInOrder: isInOrder(one, criteria),
        }));
  const { limit, offset, isReversed, steps } = planSearch(criteria, { total, pages, parts });
  if (limit <= 0) return { ids: [], total };
  const ranked = await pageByRank({ session, criteria, predicates }, { limit, total });
  if (ranked) return { ids: ranked, total };
  const selectionOf = (some: Predicates, i = 0): Selection =>
    steps[i] === 'scanInOrder'
      ? { from: sql`pages p`, where: scanInOrder(some) }
      : collectThenSort(session.engine, some, criteria);
  const range = { limit, offset };
  const selection = selectionFor(session.engine, { criteria, predicates, isReversed }, range, selectionOf);
  const ids = await idsOf(session, pageBy(criteria, selection, range, isReversed), predicates.queue);
  return { ids: isReversed ? ids.reverse() : ids, total };
}

/** Ranks only some matches; returns undefined if they do not fill the page, or nothing is ranked. */
async function pageByRank(
  { session, criteria, predicates }: { session: Session; criteria: SearchCriteria; predicates: Predicates },
  { limit, total }: { limit: number; total: number },
): Promise<number[] | undefined> {
  const { engine } = session;
  const text = rankedBy(criteria, predicates);
  if (!text) return undefined;
  for (const rankingOf of [engine.wordRanking, engine.textRanking]) {
    const ranking = rankingOf?.(text, total);
    if (!ranking) continue;
    const range = { limit, offset: criteria.offset };
    const ids = await idsOf(
      session,
      pageBy(criteria, rankedPages(ranking, predicates), range, false),
      predicates.queue,
    );
    if (ids.length === limit) return ids;
  }
  return undefined;
}

/** Whether the index that finds the matches also yields them in order. */
function isInOrder({ limits: [only, ...others] }: Predicates, { order }: SearchCriteria): boolean {
  return only?.isInOrder === true && others.length === 0 && order.endsWith('alphabetical');
}
