/** Derives the links of pages that moved together with an ancestor again, if they are relative to the path. */
import type { MovedPage, Transaction } from '../ports/store.ts';

/** One batch takes about ten milliseconds to read; others have their turn before it is written. */
const batchSize = 20;

/**
 * Called in the transaction of the move, which has locked all of these pages. Reads only pages whose links depend on their
 * path, with a fixed number of statements for each 20 of them. Returns the targets that links lost or gained.
 */
export async function relinkMoved(store: Transaction, moved: MovedPage[]): Promise<string[]> {
  const ids = moved.filter((page) => page.followsPath).map(({ id }) => id);
  const targets: string[] = [];
  for (let i = 0; i < ids.length; i += batchSize) {
    const pages = await store.pages.contents(ids.slice(i, i + batchSize));
    const links: Parameters<Transaction['links']['relink']>[0] = [];
    for (const { id, path, content } of pages) {
      const { derived } = await store.derive({ ...content, path });
      links.push({ id, links: derived.links });
    }
    for (const target of await store.links.relink(links)) targets.push(target);
  }
  return targets;
}
