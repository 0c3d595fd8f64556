/** How many of a search's matches have each type and tag, as far as the caller can see. */

import { type Actor, visibilityOf } from '../permission.ts';
import type { TypesAndTags } from '../ports/list-store.ts';
import type { Store } from '../ports/store.ts';
import { type SearchInput, searchCriteriaOf } from './search-pages.ts';

/** `isWhole`: whether all matches were looked at, or of very many some only. */
export type Facets = TypesAndTags & { isWhole: boolean };

/** No criteria: nothing. At most 50 of each, most first. */
export async function findFacets(store: Store, actor: Actor, input: SearchInput): Promise<Facets> {
  const criteria = await searchCriteriaOf(store, actor, input);
  return criteria
    ? store.lists.facets(criteria, visibilityOf(actor))
    : { types: [], tags: [], isWhole: true };
}
