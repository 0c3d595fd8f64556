/** Deletions that a member may see: administrators see all, others those of pages that they could read. */
import { readPath } from '../model/path.ts';
import type { Actor } from '../model/permission.ts';
import { Problem } from '../model/problem.ts';
import type { Range } from '../ports/list-reads.ts';
import type { Reader } from '../ports/reader.ts';
import type { Store } from '../ports/store.ts';
import type { DeletedPage, Deletion } from '../ports/trash-store.ts';

export async function listTrash(
  reader: Reader,
  range: Range,
): Promise<{ deletions: Deletion[]; total: number }> {
  if (!reader.actor) throw new Problem('unauthenticated', 'Seeing the trash needs a signed-in member.');
  return reader.trash.list(range);
}

/** The page deleted at this path, if the actor could read it. */
export async function findDeleted(reader: Reader, path: string): Promise<DeletedPage | undefined> {
  const read = readPath(path);
  return 'path' in read ? reader.trash.findPage(read.path) : undefined;
}

/** Locks a deletion that the actor may see, within a transaction. Refuses `not-found` alike for missing and hidden ones. */
export async function lockDeletion(store: Store, actor: Actor, id: number): Promise<Deletion> {
  const deletion = (await store.trash.lock(id)) && (await store.readAs(actor).trash.find(id));
  if (!deletion) throw new Problem('not-found', `The trash holds nothing with the ID ${id}.`);
  return deletion;
}
