/** Permanently removes deleted pages: a single deletion, or all that have been in the trash long enough. */
import { removeUnused } from '#core/files/remove-unused.ts';
import { withBeneath } from '#core/pages/delete-page.ts';
import type { FileStore } from '#core/ports/file-store.ts';
import type { Store } from '#core/ports/store.ts';

/** Maximum number of deletions purged in one round. */
const maxPurgedAtOnce = 100;

/** Purges pages deleted before this moment, each deletion in its own transaction. Returns the number of deletions. */
export async function emptyTrash(
  store: Store,
  files: FileStore,
  deletedBefore: number,
  now: number,
): Promise<number> {
  const due = await store.trash.before(deletedBefore, maxPurgedAtOnce);
  // Another process may have purged it, or somebody may have restored it.
  for (const id of due) await purgeDeletion(store, files, id, now);
  return due.length;
}

/** Returns whether there was such a deletion. */
export async function purgeDeletion(
  store: Store,
  files: FileStore,
  id: number,
  now: number,
): Promise<boolean> {
  const hashes = await store.transact(async (store) => {
    const deletion = (await store.trash.lock(id)) && (await store.readAsSystem().trash.find(id));
    if (!deletion) return undefined;
    const { pageId, path, pages } = deletion;
    const subject = { kind: 'page', id: pageId, name: path } as const;
    await store.audit.record({ kind: 'page-purged', subject, note: withBeneath(pages) });
    return store.trash.purge(id);
  });
  if (hashes) await removeUnused(store, files, hashes, now);
  return hashes !== undefined;
}
