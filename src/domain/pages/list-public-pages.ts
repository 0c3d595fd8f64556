/** Pages that everyone may read, for those who list a whole wiki for machines: whoever asks, the answer is the same. */
import type { Store } from '../ports/store.ts';

/** In order of ID, after `afterId`. */
export async function listPublicPages(
  store: Store,
  afterId: number,
  limit: number,
): Promise<{ id: number; path: string; updatedAt: number }[]> {
  return store.lists.publicPages(afterId, limit);
}
