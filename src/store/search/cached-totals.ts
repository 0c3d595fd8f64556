/** Numbers of matches of searches: cached while nothing they depend on is written, or counted. */
import { sql } from 'kysely';
import { BoundedCache } from '#cache/bounded-cache.ts';
import type { Visibility } from '#core/model/permission.ts';
import type { SearchCriteria } from '#core/ports/list-reads.ts';
import { rowsOf, type Session } from '../statements.ts';
import { counting, countingEach, dependenciesOf, type Predicates } from './criteria.ts';

/** Maximum number of cached totals; counting takes longer than finding ten matches. */
const maxTotals = 2000;
const maxKeyLength = 4000;
/** Maximum number of matches that are found, counted and sorted by a single query of a search index. */
const mostCollected = 5000;

export type CachedTotals = BoundedCache<Total & { revision: string }>;

/**
 * Number of matches in total, of each united predicate without those of earlier ones, and the approximate number of pages in
 * the wiki.
 */
export type Total = { total: number; each: number[]; pages: number };

export function createCachedTotals(): CachedTotals {
  return new BoundedCache(maxTotals);
}

/** The total that was counted before and is still valid, and a way to store a new one. */
export async function knownTotal(
  { engine, isTransaction }: Session,
  totals: CachedTotals,
  criteria: SearchCriteria,
  visibility: Visibility,
): Promise<{ found: Total | undefined; keep(total: Total): Total }> {
  const { limit: _, offset: __, order: ___, after: ____, ...what } = criteria;
  const key = JSON.stringify([what, visibility]);
  // Long keys with thousands of IDs are not cached: they seldom recur and take memory.
  if (isTransaction || key.length > maxKeyLength) return { found: undefined, keep: (total) => total };
  const revision = await engine.revision();
  const known = totals.get(key);
  // A total does not depend on the order.
  const dependencies = dependenciesOf({ ...criteria, order: 'alphabetical' });
  const isTrue = known && (known.revision === revision || engine.isUnchanged(known.revision, dependencies));
  if (isTrue) known.revision = revision;
  return {
    found: isTrue ? known : undefined,
    keep(total) {
      totals.set(key, { ...total, revision }, 1);
      return total;
    },
  };
}

export async function totalOf(
  { session, totals, visibility }: { session: Session; totals: CachedTotals; visibility: Visibility },
  criteria: SearchCriteria,
  predicates: Predicates,
): Promise<Total> {
  const { engine } = session;
  const isUnion = predicates.united.length > 0;
  const parts = isUnion
    ? countingEach(engine, predicates)
    : [sql`(${counting(engine, predicates, visibility)})`];
  // Types come first among the united predicates: there are few types, with very many pages each.
  const ofType =
    isUnion && predicates.limits.length === 0 && criteria.type !== undefined
      ? await knownTotal(session, totals, typeOnly(criteria), visibility)
      : undefined;
  if (ofType?.found) parts[0] = sql`${ofType.found.total}`;
  const columns = parts.map((part, i) => sql`${part} as ${sql.ref(`part${i}`)}`);
  const [counted] = await rowsOf(
    session,
    sql<Record<string, number>>`select ${sql.join(columns)}, (select max(id) from pages) as pages`,
    predicates.queue,
  );
  const each = parts.map((_, i) => counted?.[`part${i}`] ?? 0);
  const pages = counted?.pages ?? 0;
  const [first = 0] = each;
  if (ofType && !ofType.found) ofType.keep({ total: first, each: [first], pages });
  return { total: each.reduce((sum, part) => sum + part, 0), each, pages };
}

function typeOnly({ type, limit, offset, order }: SearchCriteria): SearchCriteria {
  return { ...(type === undefined ? {} : { type }), limit, offset, order, logic: 'and' };
}

/**
 * Matches of a single predicate, if an index alone finds them and they are few; the caller sorts them. Not for ranking by
 * relevance, which also needs the index for the order.
 */
export async function fewMatches(
  session: Session,
  { order }: SearchCriteria,
  { limits: [only, ...others], united, queue }: Predicates,
  visibility: Visibility,
): Promise<{ ids: number[]; total: Total } | undefined> {
  const { countByIndex } = session.engine;
  if (!only?.countByIndex || !only.isSearched || others.length + united.length > 0) return;
  if (order === 'relevance') return;
  const found = await rowsOf(
    session,
    sql<{
      id: number;
      pages: number;
    }>`select found.id, (select max(id) from pages) as pages from ${only.countByIndex} as found
      where ${countByIndex.isSeen(sql.ref('found.id'), visibility)} limit ${mostCollected + 1}`,
    queue,
  );
  const total = found.length;
  if (total > mostCollected) return;
  return { ids: found.map(({ id }) => id), total: { total, each: [total], pages: found[0]?.pages ?? 0 } };
}
