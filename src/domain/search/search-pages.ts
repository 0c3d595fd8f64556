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
import { titleKey } from './fold.ts';
import { readTextQuery } from './terms.ts';

export interface SearchInput {
  path?: string;
  title?: string;
  type?: string;
  /** `key:value`, or a name or value alone. */
  tags?: string[];
  text?: string;
  ancestor?: string;
  order?: string;
  logic?: string;
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

/** More criteria than anyone has a use for would only make the engines' plans explode. */
const maxTags = 20;
const maxFragmentLength = 255;

/**
 * No criteria, or an ancestor that is no readable page: nothing. `total` counts all visible matches. `dependencies`: all that
 * decides this.
 */
export async function findPages(
  store: Store,
  actor: Actor,
  input: SearchInput,
): Promise<{ ids: number[]; total: number; dependencies: Dependency[] }> {
  const criteria = await readCriteria(store, actor, input);
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

/** Undefined if nothing can match. Refuses `invalid` for an unknown order or logic, or too many tags. */
export async function readCriteria(
  store: Store,
  actor: Actor,
  input: SearchInput,
): Promise<SearchCriteria | undefined> {
  const order = (input.order || 'alphabetical') as SearchOrder;
  if (!searchOrders.includes(order)) {
    throw invalid('?order', `Unknown order: use one of ${searchOrders.join(', ')}.`);
  }
  if (input.logic && input.logic !== 'or' && input.logic !== 'and') {
    throw invalid('?logic', 'Unknown logic: use “or” for the union of the criteria, or leave it out.');
  }
  const tags = (input.tags ?? []).filter((tag) => tag !== '').map(readTag);
  if (tags.length > maxTags) throw invalid('?tag', `At most ${maxTags} tags can be asked for at once.`);

  const criteria: SearchCriteria = {
    logic: input.logic === 'or' ? 'or' : 'and',
    order,
    limit: input.limit,
    offset: input.offset,
  };
  let hasCriteria = false;
  if (input.path) {
    criteria.pathPrefix = input.path.normalize('NFC');
    hasCriteria = true;
  }
  if (input.title) {
    criteria.titleFragment = input.title;
    hasCriteria = true;
  }
  if (input.type) {
    criteria.type = input.type.normalize('NFC').trim();
    hasCriteria = true;
  }
  if (tags.length > 0) {
    criteria.tags = tags;
    hasCriteria = true;
  }
  if (input.text) {
    const text = readTextQuery(input.text);
    // Text of nothing but punctuation matches nothing; united with other criteria it adds nothing.
    if (!text && criteria.logic === 'and') return undefined;
    if (text) criteria.text = text;
    hasCriteria = hasCriteria || text !== undefined;
  }
  if ((input.title?.length ?? 0) > maxFragmentLength && criteria.logic === 'and') return undefined;
  if (input.ancestor !== undefined && input.ancestor !== '') {
    const ancestor = await findReadable(store, actor, input.ancestor);
    if (!ancestor) return undefined;
    criteria.ancestorId = ancestor.id;
    hasCriteria = true;
  }
  return hasCriteria ? criteria : undefined;
}

function readTag(text: string): { key?: string; value: string } {
  const colon = text.indexOf(':');
  const key = text.slice(0, Math.max(colon, 0)).trim().normalize('NFC').toLowerCase();
  // `:value` and `value` are not of the form tag:val, so any tag may hold them, or be called so.
  return key === ''
    ? { value: text.normalize('NFC').trim() }
    : {
        key,
        value: text
          .slice(colon + 1)
          .normalize('NFC')
          .trim(),
      };
}
