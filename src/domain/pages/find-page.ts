/** Finding a page for somebody: missing and unreadable look the same wherever the interface leaves the choice. */

import { type Actor, type Visibility, visibilityOf } from '../permission.ts';
import type { HistoryWanted, Store } from '../ports/store.ts';
import { Problem } from '../problem.ts';
import type { Page, WholePage } from './page.ts';
import { mayRead, readableOf, visibleTo } from './page-view.ts';
import { readPath } from './path.ts';

/** The page at a path that this actor may read. */
export async function findReadable(store: Store, actor: Actor, path: string): Promise<Page | undefined> {
  const read = readPath(path);
  if ('problem' in read) return undefined;
  const page = await store.pages.findByPath(read.path);
  return page && mayRead(actor, page) ? page : undefined;
}

/** Like findReadable, and refuses `not-found`, naming the new path if the page moved and the actor may read it. */
export async function getReadable(store: Store, actor: Actor, path: string): Promise<Page> {
  return (await findReadable(store, actor, path)) ?? refuseMissing(store, actor, path);
}

/** Present path of the page that once lived at this path. Only asked when the actor sees no page here now. */
export async function findMoved(store: Store, actor: Actor, path: string): Promise<string | undefined> {
  const read = readPath(path);
  if ('problem' in read) return undefined;
  return (await store.pages.findByAlias(read.path, visibilityOf(actor)))?.path;
}

export async function refuseMissing(store: Store, actor: Actor, path: string): Promise<never> {
  const read = readPath(path);
  const shown = 'path' in read ? read.path : path.slice(0, 200);
  const movedTo = await findMoved(store, actor, path);
  throw movedTo
    ? new Problem('not-found', `The page at ${shown} moved to ${movedTo}.`, { details: { movedTo } })
    : new Problem('not-found', `No page exists at ${shown}.`);
}

/** Like findReadable, with everything that the interface shows of it. */
export async function findWhole(
  store: Store,
  actor: Actor,
  path: string,
  history: HistoryWanted,
): Promise<WholePage | undefined> {
  const read = readPath(path);
  if ('problem' in read) return undefined;
  const page = await store.pages.loadByPath(read.path, history);
  return page && mayRead(actor, page) ? visibleTo(visibilityOf(actor), page) : undefined;
}

/**
 * Pages that this actor may read at the time of loading, which may be later than the time of the search, with everything
 * that the interface shows of them.
 */
export async function loadReadable(
  store: Store,
  actor: Actor,
  ids: number[],
  history: HistoryWanted,
): Promise<WholePage[]> {
  return ids.length === 0 ? [] : readableOf(actor, await store.pages.load(ids, history));
}

/** Like `loadReadable`, some at a time. */
export async function loadReadableInParts(
  store: Store,
  actor: Actor,
  ids: number[],
  history: HistoryWanted,
  take: (pages: WholePage[]) => Promise<void>,
): Promise<void> {
  await store.pages.loadInParts(ids, history, (pages) => take(readableOf(actor, pages)));
}

/** Everything of a page that is known to exist and be readable. */
export async function getWhole(
  store: Store,
  visibility: Visibility,
  id: number,
  history: HistoryWanted = 'all',
): Promise<WholePage> {
  const [page] = await store.pages.load([id], history);
  if (!page) throw new Problem('not-found', 'The page does not exist any more.');
  return visibleTo(visibility, page);
}
