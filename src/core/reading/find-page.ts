/** Finds pages by path. Pages that the actor may not read are refused as if they did not exist. */

import { say } from '#words/say.ts';
import type { Page, WholePage } from '../model/page.ts';
import { visibleTo } from '../model/page-access.ts';
import { readPath } from '../model/path.ts';
import { type Actor, visibilityOf } from '../model/permission.ts';
import { Problem } from '../model/problem.ts';
import type { HistoryWanted, Reader } from '../ports/reader.ts';
import type { Store } from '../ports/store.ts';
import type { DeletedPage } from '../ports/trash-store.ts';

/** The page at a path that the actor may read. */
export async function findReadable(reader: Reader, path: string): Promise<Page | undefined> {
  const read = readPath(path);
  return 'problem' in read ? undefined : reader.pages.findByPath(read.path);
}

/** Like findReadable, but refuses `not-found`, naming the new path if the page moved and the actor may read it. */
export async function getReadable(reader: Reader, path: string): Promise<Page> {
  return (await findReadable(reader, path)) ?? refuseMissing(reader, path);
}

/** Current path of the page that had this path before. Only called if the actor sees no page at this path. */
export async function findMoved(reader: Reader, path: string): Promise<string | undefined> {
  // Paths hold no question marks, but addresses of other wikis do: their aliases keep them escaped.
  const read = readPath(path.replaceAll('?', '%3F'));
  return 'problem' in read ? undefined : (await reader.pages.findByAlias(read.path))?.path;
}

/**
 * Refuses `gone` if the page was deleted and the actor could read it, else `not-found`, naming the new path if it moved.
 * `isEdit`: `not-found` for deleted pages as well, as the interface requires for edits.
 */
export async function refuseMissing(reader: Reader, path: string, { isEdit = false } = {}): Promise<never> {
  const read = readPath(path);
  const shown = 'path' in read ? read.path : path.slice(0, 200);
  const movedTo = await findMoved(reader, path);
  if (movedTo)
    throw new Problem('not-found', say('problem.thePageAtMovedTo', { shown, movedTo }), {
      details: { movedTo },
    });
  const deleted = await findDeleted(reader, path);
  if (!deleted) throw new Problem('not-found', say('problem.noPageExistsAt', { shown }));
  throw new Problem(isEdit ? 'not-found' : 'gone', say('problem.thePageAtWasDeleted', { shown }), {
    details: { deletedAt: new Date(deleted.deletedAt).toISOString(), deletedBy: deleted.deletedBy },
  });
}

/** The page deleted at this path, if the actor could read it. */
export async function findDeleted(reader: Reader, path: string): Promise<DeletedPage | undefined> {
  const read = readPath(path);
  return 'path' in read ? reader.trash.findPage(read.path) : undefined;
}

/** Like findReadable, with everything that the interface shows of the page. */
export async function findWhole(
  reader: Reader,
  path: string,
  history: HistoryWanted,
): Promise<WholePage | undefined> {
  const read = readPath(path);
  return 'problem' in read ? undefined : reader.pages.loadByPath(read.path, history);
}

/** Complete data of a page that is known to exist and be readable. */
export async function getWhole(
  reader: Reader,
  id: number,
  history: HistoryWanted = 'all',
): Promise<WholePage> {
  const [page] = await reader.pages.load([id], history);
  if (!page) throw new Problem('not-found', say('problem.thePageNoLongerExists'));
  return page;
}

/** A page that the actor has just written, even if the edit removed their permission to read it. */
export async function getSaved(
  store: Store,
  actor: Actor,
  id: number,
  history: HistoryWanted = 'all',
): Promise<WholePage> {
  return visibleTo(visibilityOf(actor, store), await getWhole(store.readAsSystem(), id, history));
}
