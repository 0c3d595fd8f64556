/** The direct children of a page, or the root pages, as far as the caller can see. */
import { getReadable } from './find-page.ts';
import type { PageName } from './page.ts';
import { type Actor, sightOf } from './permission.ts';
import type { Store } from './store.ts';

/** `path` null: the root pages. */
export async function listChildren(
  store: Store,
  actor: Actor,
  path: string | null,
  range: { limit: number; offset: number },
): Promise<{ pages: (PageName & { type: string | null; hasChildren: boolean })[]; total: number }> {
  const parent = path === null ? null : await getReadable(store, actor, path);
  return store.lists.children(parent?.id ?? null, sightOf(actor), range);
}
