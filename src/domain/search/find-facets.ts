/** How many of a search's matches have each type and tag, as far as the caller can see. */

import type { TypesAndTags } from '../ports/list-reads.ts';
import type { Reader } from '../reader.ts';
import { type SearchInput, searchCriteriaOf } from './search-pages.ts';

/** `isWhole`: whether all matches were looked at, or of very many some only. */
export type Facets = TypesAndTags & { isWhole: boolean };

/** No criteria: nothing. At most 50 of each, most first. */
export async function findFacets(reader: Reader, input: SearchInput): Promise<Facets> {
  const criteria = await searchCriteriaOf(reader, input);
  return criteria ? reader.lists.facets(criteria) : { types: [], tags: [], isWhole: true };
}
