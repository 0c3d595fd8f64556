/** How a page of a search is found: one strategy for each kind of engine. */
import type { Visibility } from '#domain/permission.ts';
import type { SearchCriteria } from '#domain/ports/list-reads.ts';
import type { Session } from '../statements.ts';
import type { CachedTotals, Total } from './cached-totals.ts';
import type { Predicates } from './criteria.ts';

export type SearchPage = { ids: number[]; total: number };

export interface Search {
  criteria: SearchCriteria;
  predicates: Predicates;
  visibility: Visibility;
  totals: CachedTotals;
  /** Keeps a total for further pages. */
  keep(total: Total): Total;
}

export interface Strategy {
  /** The first page that is asked for, usually. */
  uncounted(session: Session, search: Search): Promise<SearchPage>;
  /** A page of a search whose total is known. */
  counted(session: Session, search: Search, total: Total): Promise<SearchPage>;
}
