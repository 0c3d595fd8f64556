/** A page's changes, for whoever may read the page: those that it shows to this reader. */

import type { Actor } from '../permission.ts';
import type { Range } from '../ports/list-store.ts';
import type { Store } from '../ports/store.ts';
import { getReadable } from './find-page.ts';
import type { Change, Page } from './page.ts';
import { firstChangeFor } from './page-view.ts';

/** Newest first. */
export async function listHistory(
  store: Store,
  actor: Actor,
  path: string,
  range: Range,
): Promise<{ page: Page; changes: Change[]; total: number }> {
  const page = await getReadable(store, actor, path);
  return { page, ...(await store.changes.list(page.id, range, firstChangeFor(actor, page))) };
}

export type ChangedPage = Pick<Page, 'id' | 'trail' | 'historyFrom' | 'owner'>;

/** Undefined alike for what is no change of the page and for one that this reader may not see. */
export async function findChange(
  store: Store,
  actor: Actor,
  page: ChangedPage,
  id: number,
): Promise<Change | undefined> {
  return id < firstChangeFor(actor, page) ? undefined : store.changes.find(page.id, id);
}

/** The one before it, if there is one that this reader may see. */
export async function findChangeBefore(
  store: Store,
  actor: Actor,
  page: ChangedPage,
  id: number,
): Promise<Change | undefined> {
  return id <= firstChangeFor(actor, page) ? undefined : store.changes.findBefore(page.id, id);
}

/** Two single changes of a page at most, in the order asked for. */
export async function findChanges(
  store: Store,
  actor: Actor,
  page: ChangedPage,
  ids: number[],
): Promise<Change[]> {
  const found = await Promise.all(ids.slice(0, 2).map((id) => findChange(store, actor, page, id)));
  return found.filter((change) => change !== undefined);
}
