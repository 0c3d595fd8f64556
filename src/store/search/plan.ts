/**
 * How one page of a search is found once its total is known: see docs/decisions/0017-search-plans.md. Counts alone decide, so
 * nothing is asked here.
 */
import type { SearchCriteria } from '#domain/ports/list-reads.ts';

/** Scan all pages in order until enough match, or collect all matches and sort them. */
export type SearchStep = 'scanInOrder' | 'collectThenSort';

export interface SearchStats {
  total: number;
  /** In the whole wiki, roughly. */
  pages: number;
  /** Matches of each united predicate, or of all predicates together. */
  parts: readonly { matches: number; isInOrder: boolean }[];
}

export interface SearchPlan {
  /** 0 or less: there is nothing on this page. */
  limit: number;
  offset: number;
  /** The reversed order is read: matches near the end are near its beginning. */
  isReversed: boolean;
  /** One for each of `parts`. */
  steps: SearchStep[];
}

/** `isInOrder` of a part: the index that finds its matches also has them in order, so that collecting them ends early. */
export function planSearch(
  { order, limit: wanted, offset: first }: Pick<SearchCriteria, 'order' | 'limit' | 'offset'>,
  { total, pages, parts }: SearchStats,
): SearchPlan {
  const limit = Math.min(wanted, total - first);
  const fromEnd = total - first - limit;
  const isReversed = order !== 'relevance' && fromEnd < first;
  const offset = isReversed ? fromEnd : first;
  // On average every (pages / matches)th page that is scanned matches.
  const steps = parts.map(({ matches, isInOrder }) =>
    !isInOrder && (offset + limit) * pages < matches * matches ? 'scanInOrder' : 'collectThenSort',
  );
  return { limit, offset, isReversed, steps };
}
