/** Permanently removes deleted pages: a single deletion by an administrator, or all that have been in the trash long enough. */

import { refuseWithoutSecondFactor } from '../members/required-second-factor.ts';
import { refuseUnlessWriter } from '../model/may-write.ts';
import type { Actor } from '../model/permission.ts';
import { Problem } from '../model/problem.ts';
import { withBeneath } from '../pages/delete-page.ts';
import type { FileStore } from '../ports/file-store.ts';
import type { Store } from '../ports/store.ts';
import type { Deletion } from '../ports/trash-store.ts';
import { uploadTicketLifetimeMs } from '../ports/upload-tickets.ts';
import { lockDeletion } from './list-trash.ts';

/** Maximum number of deletions purged in one round. */
const maxPurgedAtOnce = 100;
/** Younger files may belong to an upload in progress; `coppice rebuild` removes them later. */
const graceMs = 2 * uploadTicketLifetimeMs;

export const dayMs = 24 * 60 * 60 * 1000;

export async function purgeDeletion(
  store: Store,
  files: FileStore,
  actor: Actor,
  id: number,
  now: number,
): Promise<void> {
  if (!actor) throw new Problem('unauthenticated', 'Emptying the trash needs a signed-in administrator.');
  refuseUnlessWriter(actor);
  refuseWithoutSecondFactor(actor);
  if (!actor.isAdmin)
    throw new Problem('administrators-only', 'Only administrators can delete pages for good.');
  const hashes = await store.transact(async (store) => purge(store, await lockDeletion(store, actor, id)));
  await removeUnused(store, files, hashes, now);
}

/** Purges pages deleted before this moment, each deletion in its own transaction. Returns the number of deletions. */
export async function emptyTrash(
  store: Store,
  files: FileStore,
  deletedBefore: number,
  now: number,
): Promise<number> {
  const due = await store.trash.before(deletedBefore, maxPurgedAtOnce);
  for (const id of due) {
    // Another process may have purged it, or somebody may have restored it.
    const hashes = await store.transact(async (store) => {
      const deletion = (await store.trash.lock(id)) && (await store.readAsSystem().trash.find(id));
      return deletion ? purge(store, deletion) : [];
    });
    await removeUnused(store, files, hashes, now);
  }
  return due.length;
}

async function purge(store: Store, { id, pageId, path, pages }: Deletion): Promise<string[]> {
  const subject = { kind: 'page', id: pageId, name: path } as const;
  await store.audit.record({ kind: 'page-purged', subject, note: withBeneath(pages) });
  return store.trash.purge(id);
}

/** Called after the commit, because other transactions see the pages until then. */
async function removeUnused(store: Store, files: FileStore, hashes: string[], now: number): Promise<void> {
  const used = hashes.length === 0 ? new Set() : await store.trash.usedHashes(hashes);
  for (const hash of hashes) if (!used.has(hash)) await files.remove(hash, now - graceMs);
}
