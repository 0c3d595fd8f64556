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
