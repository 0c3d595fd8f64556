/** Derives anew the links of pages that moved with a page above them, where they are relative to the path. */
import { deriveLinks } from '../content/derive.ts';
import type { MovedPage, Transaction } from '../ports/store.ts';

/** Reading them takes some ten milliseconds; others have their turn before they are written. */
const batchSize = 20;

/**
 * Within the transaction of the move, which holds all of these pages. Looks at no page but those that follow their path,
 * a fixed number of statements for each 20 of them. Returns the targets that links lost or gained.
 */
export async function relinkMoved(store: Transaction, moved: MovedPage[]): Promise<string[]> {
  const ids = moved.filter((page) => page.followsPath).map(({ id }) => id);
  const targets: string[] = [];
  for (let i = 0; i < ids.length; i += batchSize) {
    const pages = await store.pages.contents(ids.slice(i, i + batchSize));
    const links = pages.map(({ id, path, content }) => ({
      id,
      links: deriveLinks({ ...content, path }, store.dialect),
    }));
    for (const target of await store.links.relink(links)) targets.push(target);
  }
  return targets;
}
