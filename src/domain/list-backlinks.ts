/** What links to a page, as far as the caller can see. */
import { getReadable } from './find-page.ts';
import type { PageName } from './page.ts';
import { type Actor, sightOf } from './permission.ts';
import type { Store } from './store.ts';

export async function listBacklinks(
  store: Store,
  actor: Actor,
  path: string,
  range: { limit: number; offset: number },
): Promise<{ pages: PageName[]; total: number }> {
  const page = await getReadable(store, actor, path);
  return store.links.backlinks(page, sightOf(actor), range);
}
