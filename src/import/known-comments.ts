/** Comments that a page has already, so that an import that runs again does not write them twice. */
import { everything } from '#core/model/permission.ts';
import type { Store } from '#core/ports/store.ts';

const readAtOnce = 1000;

/** IDs by `markOf`. */
export async function knownComments(store: Store, pageId: number): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (let after = 0; ; ) {
    const { comments } = await store.comments.list({ pageId }, after, readAtOnce, everything);
    for (const { id, author, at, body } of comments) found.set(markOf(author.id, at, body), id);
    const last = comments.at(-1);
    if (!last) return found;
    after = last.id;
  }
}

export function markOf(authorId: number, at: number, body: string): string {
  return JSON.stringify([authorId, at, body]);
}
