/**
 * The second half of an erasure. Rows are erased in a transaction; the bytes of files, and what the database still holds of
 * the rows, go afterwards. A database keeps deleted rows while somebody may still read them, so this may have to wait: an
 * erasure is pending from its transaction until its bytes are gone, also over a restart, and housekeeping finishes it.
 */
import type { FileStore } from '#core/ports/file-store.ts';
import type { Store } from '#core/ports/store.ts';

export interface Finished {
  /** Whether no erasure is pending any more. */
  isFinished: boolean;
  /** Number of erasures that were finished. */
  count: number;
  /** Sentences about places where erased data may remain. */
  left: string[];
}

/**
 * Finishes all erasures that were committed before the call; does nothing without any. `patienceMs` limits the wait for readers.
 * Erasures other than `own`, which the caller reports, are noted in the audit log as finished.
 */
export async function finishErasures(
  { store, files }: { store: Store; files: FileStore },
  patienceMs: number,
  own?: number,
): Promise<Finished> {
  const pending = await store.pendingErasures.list();
  if (pending.length === 0) return { isFinished: true, count: 0, left: [] };
  const ids = pending.map(({ id }) => id);
  const hashes = [...new Set(pending.flatMap((one) => one.hashes))];
  // Asked after the commit, because other transactions may use the files until then.
  const used = hashes.length === 0 ? new Set() : await store.trash.usedHashes(hashes);
  for (const hash of hashes) if (!used.has(hash)) await files.remove(hash);
  if (hashes.length > 0) await store.pendingErasures.forgetHashes(ids);
  const { isWhole, left } = await store.maintenance.scrub(patienceMs);
  if (used.size > 0) left.push('Another page has a file with the same bytes, which stays there.');
  if (!isWhole) return { isFinished: false, count: 0, left };
  const count = await store.transact(async (store) => {
    const ended = await store.pendingErasures.end(ids);
    for (const { id, at } of pending)
      if (id !== own && ended.includes(id))
        await store.audit.record({ kind: 'erasure-finished', note: `begun ${new Date(at).toISOString()}` });
    return ended.length;
  });
  return { isFinished: true, count, left };
}
