/** A page's changes, newest first, for whoever may read the page. */
import { getReadable } from './find-page.ts';
import type { Change, Page } from './page.ts';
import type { Actor } from './permission.ts';
import type { Store } from './store.ts';

export async function listHistory(
  store: Store,
  actor: Actor,
  path: string,
  range: { limit: number; offset: number },
): Promise<{ page: Page; changes: Change[]; total: number }> {
  const page = await getReadable(store, actor, path);
  return { page, ...(await store.changes.list(page.id, range)) };
}

/** Single changes of a page that the caller has in hand, those that are its own, in the order asked for. */
export async function findChanges(store: Store, page: Page, ids: number[]): Promise<Change[]> {
  const found = await Promise.all(ids.slice(0, 2).map((id) => store.changes.find(page.id, id)));
  return found.filter((change) => change !== undefined);
}
