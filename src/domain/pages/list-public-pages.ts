/** Public pages, for listing a whole wiki to machines; the result is the same for all callers. */
import type { Reader } from '../reader.ts';

/** By ID, after `afterId`. */
export async function listPublicPages(
  reader: Reader,
  afterId: number,
  limit: number,
): Promise<{ id: number; path: string; updatedAt: number }[]> {
  return reader.lists.publicPages(afterId, limit);
}
