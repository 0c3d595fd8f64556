/** Finds pages by path, title, type, tags, text and ancestor: what the caller may read, before any limit. */

import { findReadable } from '../pages/find-page.ts';
import type { PageOutline, WholePage } from '../pages/page.ts';
import type { SearchCriteria, SearchOrder } from '../ports/list-reads.ts';
import { invalid } from '../problem.ts';
import type { HistoryWanted, Reader } from '../reader.ts';
import { type CriteriaInput, readCriteria } from './criteria.ts';

export interface SearchInput extends CriteriaInput {
  order?: string | undefined;
  limit: number;
  offset: number;
}

const searchOrders: SearchOrder[] = [
  'alphabetical',
  'reverse alphabetical',
  'first created',
  'last created',
  'oldest update',
  'most recent update',
  'relevance',
];

/** No criteria, or an ancestor that is no readable page: nothing. `total` counts all visible matches. */
export async function findPages(
  reader: Reader,
  input: SearchInput,
): Promise<{ ids: number[]; total: number }> {
  const criteria = await searchCriteriaOf(reader, input);
  return criteria ? reader.lists.search(criteria) : { ids: [], total: 0 };
}

/** Like `findPages`, with the pages themselves. */
export async function searchPages(
  reader: Reader,
  input: SearchInput & { history: HistoryWanted },
): Promise<{ pages: WholePage[]; total: number }> {
  const { ids, total } = await findPages(reader, input);
  return { pages: await reader.pages.load(ids, input.history), total };
}

/** Like `searchPages`, without the contents. */
export async function searchOutlines(
  reader: Reader,
  input: SearchInput,
): Promise<{ pages: PageOutline[]; total: number }> {
  const { ids, total } = await findPages(reader, input);
  return { pages: await reader.pages.outlines(ids), total };
}

/** Undefined if nothing was asked for or nothing can match. Refuses `invalid` for an unknown order and what `readCriteria` refuses. */
export async function searchCriteriaOf(
  reader: Reader,
  { order: givenOrder, limit, offset, ...input }: SearchInput,
): Promise<SearchCriteria | undefined> {
  const order = (givenOrder || 'alphabetical') as SearchOrder;
  if (!searchOrders.includes(order)) {
    throw invalid('?order', `Unknown order: use one of ${searchOrders.join(', ')}.`);
  }
  const criteria = await readCriteria(input, async (path) => (await findReadable(reader, path))?.id);
  return criteria && { ...criteria, order, limit, offset };
}
