/** Interface of the strategies for finding a page of results, one for each kind of engine. */
import type { Visibility } from '#core/model/permission.ts';
import type { SearchCriteria } from '#core/ports/list-reads.ts';
import type { Session } from '../statements.ts';
import type { CachedTotals, Total } from './cached-totals.ts';
import type { Predicates } from './criteria.ts';

export type SearchPage = { ids: number[]; total: number };

export interface Search {
  criteria: SearchCriteria;
  predicates: Predicates;
  visibility: Visibility;
  totals: CachedTotals;
  /** Caches a total for further pages. */
  keep(total: Total): Total;
}

export interface Strategy {
  /** Finds a page, usually the first, whose total is unknown. */
  uncounted(session: Session, search: Search): Promise<SearchPage>;
  /** A page of a search whose total is known. */
  counted(session: Session, search: Search, total: Total): Promise<SearchPage>;
}
