/** Numbers of a search's matches by type and tag, within what the caller can see. */

import type { TypesAndTags } from '../ports/list-reads.ts';
import type { Reader } from '../ports/reader.ts';
import { type SearchInput, searchCriteriaOf } from './search-pages.ts';

/** `isWhole`: whether all matches were counted; very large results are sampled. */
export type Facets = TypesAndTags & { isWhole: boolean };

/** Without criteria the result is empty. At most 50 of each kind, most frequent first. */
export async function findFacets(reader: Reader, input: SearchInput): Promise<Facets> {
  const criteria = await searchCriteriaOf(reader, input);
  return criteria ? reader.lists.facets(criteria) : { types: [], tags: [], isWhole: true };
}
