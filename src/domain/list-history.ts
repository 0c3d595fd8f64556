/** A page's changes, newest first, for whoever may read the page. */

import { getReadable } from './find-page.ts';
import type { Range } from './list-store.ts';
import type { AttachedFile, Change, Page } from './page.ts';
import type { Actor } from './permission.ts';
import type { Store } from './store.ts';

export async function listHistory(
  store: Store,
  actor: Actor,
  path: string,
  range: Range,
): Promise<{ page: Page; changes: Change[]; total: number }> {
  const page = await getReadable(store, actor, path);
  return { page, ...(await store.changes.list(page.id, range)) };
}

/** Two single changes of a page at most, those that are its own, in the order asked for. */
export async function findChanges(store: Store, page: Page, ids: number[]): Promise<Change[]> {
  const found = await Promise.all(ids.slice(0, 2).map((id) => store.changes.find(page.id, id)));
  return found.filter((change) => change !== undefined);
}

/** By the ID of the change, of changes of the page that follow each other, newest first: the files that each attached. */
export async function listAttached(
  store: Store,
  page: Page,
  changes: Change[],
): Promise<Map<number, AttachedFile[]>> {
  const files = await store.files.attachedBetween(
    page.id,
    (changes.at(-1)?.id ?? 0) - 1,
    changes[0]?.id ?? 0,
  );
  return new Map(
    changes.map(({ id, at, editor }) => [
      id,
      files.filter(({ uploadedAt, uploaderId }) => uploadedAt === at && uploaderId === editor.id),
    ]),
  );
}
