/** Backlinks of a page that the caller can see. */

import type { Dependency } from '#cache/dependency.ts';
import { type Actor, visibilityOf } from '../permission.ts';
import type { Range } from '../ports/list-store.ts';
import type { Store } from '../ports/store.ts';
import { getReadable } from './find-page.ts';
import type { Page, PageName } from './page.ts';

export interface Backlinks {
  pages: PageName[];
  total: number;
  dependencies: Dependency[];
}

export async function listBacklinks(
  store: Store,
  actor: Actor,
  path: string,
  range: Range,
): Promise<Backlinks> {
  return backlinksOf(store, actor, await getReadable(store, actor, path), range);
}

/** Like `listBacklinks`, for a page that this caller may read. */
export async function backlinksOf(
  store: Store,
  actor: Actor,
  page: Pick<Page, 'id' | 'title' | 'path'>,
  range: Range,
): Promise<Backlinks> {
  const listed = await store.links.backlinks(page, visibilityOf(actor), range);
  return { ...listed, dependencies: [page.id, ...listed.dependencies] };
}
