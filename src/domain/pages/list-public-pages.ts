/** Pages that everyone may read, for those who list a whole wiki for machines: whoever asks, the answer is the same. */
import type { Reader } from '../reader.ts';

/** In order of ID, after `afterId`. */
export async function listPublicPages(
  reader: Reader,
  afterId: number,
  limit: number,
): Promise<{ id: number; path: string; updatedAt: number }[]> {
  return reader.lists.publicPages(afterId, limit);
}
