/** Finds pages by path, title, type, tags, text and ancestor: what the caller may read, before any limit. */

import { type Dependency, leadsTo } from '#cache/dependency.ts';
import { findReadable, loadReadable } from '../pages/find-page.ts';
import type { PageOutline, WholePage } from '../pages/page.ts';
import { readableOf } from '../pages/page-view.ts';
import { readPath } from '../pages/path.ts';
import { type Actor, visibilityOf } from '../permission.ts';
import type { SearchCriteria, SearchOrder } from '../ports/list-store.ts';
import type { HistoryWanted, Store } from '../ports/store.ts';
import { invalid } from '../problem.ts';
import { type CriteriaInput, readCriteria } from './criteria.ts';
import { titleKey } from './fold.ts';

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

/**
 * No criteria, or an ancestor that is no readable page: nothing. `total` counts all visible matches. `dependencies`: all that
 * decides this.
 */
export async function findPages(
  store: Store,
  actor: Actor,
  input: SearchInput,
): Promise<{ ids: number[]; total: number; dependencies: Dependency[] }> {
  const criteria = await searchCriteriaOf(store, actor, input);
  const found = criteria
    ? await store.lists.search(criteria, visibilityOf(actor))
    : { ids: [], total: 0, dependencies: [] };
  const ancestor = readPath(input.ancestor ?? '');
  if ('problem' in ancestor) return found;
  return { ...found, dependencies: [...found.dependencies, leadsTo(titleKey(ancestor.path))] };
}

/** Like `findPages`, with the pages themselves. */
export async function searchPages(
  store: Store,
  actor: Actor,
  input: SearchInput & { history: HistoryWanted },
): Promise<{ pages: WholePage[]; total: number }> {
  const { ids, total } = await findPages(store, actor, input);
  return { pages: await loadReadable(store, actor, ids, input.history), total };
}

/** Like `searchPages`, without the contents. */
export async function searchOutlines(
  store: Store,
  actor: Actor,
  input: SearchInput,
): Promise<{ pages: PageOutline[]; total: number }> {
  const { ids, total } = await findPages(store, actor, input);
  return { pages: readableOf(actor, await store.pages.outlines(ids)), total };
}

/** Undefined if nothing was asked for or nothing can match. Refuses `invalid` for an unknown order and what `readCriteria` refuses. */
export async function searchCriteriaOf(
  store: Store,
  actor: Actor,
  { order: givenOrder, limit, offset, ...input }: SearchInput,
): Promise<SearchCriteria | undefined> {
  const order = (givenOrder || 'alphabetical') as SearchOrder;
  if (!searchOrders.includes(order)) {
    throw invalid('?order', `Unknown order: use one of ${searchOrders.join(', ')}.`);
  }
  const criteria = await readCriteria(input, async (path) => (await findReadable(store, actor, path))?.id);
  return criteria && { ...criteria, order, limit, offset };
}
