/** The direct children of a page, or the root pages, as far as the caller can see. */

import type { Dependency } from '#cache/dependency.ts';
import { type Actor, visibilityOf } from '../permission.ts';
import type { Range } from '../ports/list-store.ts';
import type { Store } from '../ports/store.ts';
import { getReadable } from './find-page.ts';
import type { Page, PageName } from './page.ts';

export interface Children {
  pages: (PageName & { type: string | null; hasChildren: boolean })[];
  total: number;
  dependencies: Dependency[];
}

/** `path` null: the root pages. */
export async function listChildren(
  store: Store,
  actor: Actor,
  path: string | null,
  range: Range,
): Promise<Children> {
  return childrenIn(store, actor, path === null ? null : await getReadable(store, actor, path), range);
}

/** Like `listChildren`, for a page that this caller may read. */
export async function childrenIn(
  store: Store,
  actor: Actor,
  parent: Pick<Page, 'id'> | null,
  range: Range,
): Promise<Children> {
  const id = parent?.id ?? null;
  const listed = await store.lists.children(id, visibilityOf(actor), range);
  return { ...listed, dependencies: [...listed.dependencies, ...(id === null ? [] : [id])] };
}
