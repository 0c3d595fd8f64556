/**
 * Plans how one page of results is found once the total is known: see docs/decisions/0017-search-plans.md. Depends on counts
 * only, so it runs no queries.
 */
import type { SearchCriteria } from '#core/ports/list-reads.ts';

/** Scan all pages in order until enough match, or collect all matches and sort them. */
type SearchStep = 'scanInOrder' | 'collectThenSort';

interface SearchStats {
  total: number;
  /** Approximate number of pages in the wiki. */
  pages: number;
  /** Matches of each united predicate, or of all predicates together. */
  parts: readonly { matches: number; isInOrder: boolean }[];
}

interface SearchPlan {
  /** Zero or negative if this page of results is empty. */
  limit: number;
  offset: number;
  /** Whether the order is read in reverse, because the results are near its end. */
  isReversed: boolean;
  /** One step for each of `parts`. */
  steps: SearchStep[];
}

/** `isInOrder` of a part: its index yields matches in order, so that collecting them can stop early. */
export function planSearch(
  { order, limit: wanted, offset: first }: Pick<SearchCriteria, 'order' | 'limit' | 'offset'>,
  { total, pages, parts }: SearchStats,
): SearchPlan {
  const limit = Math.min(wanted, total - first);
  const fromEnd = total - first - limit;
  const isReversed = order !== 'relevance' && fromEnd < first;
  const offset = isReversed ? fromEnd : first;
  // On average, one page in (pages / matches) scanned pages matches.
  const steps = parts.map(({ matches, isInOrder }) =>
    !isInOrder && (offset + limit) * pages < matches * matches ? 'scanInOrder' : 'collectThenSort',
  );
  return { limit, offset, isReversed, steps };
}
