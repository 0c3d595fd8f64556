/** Removes bytes of files whose rows are gone, unless other rows name them. */
import type { FileStore } from '../ports/file-store.ts';
import type { Store } from '../ports/store.ts';
import { uploadTicketLifetimeMs } from '../ports/upload-tickets.ts';

/** Younger files may belong to an upload in progress; `coppice rebuild` removes them later. */
const graceMs = 2 * uploadTicketLifetimeMs;

/** Called after the commit, because other transactions see the rows until then. */
export async function removeUnused(
  store: Store,
  files: FileStore,
  hashes: readonly string[],
  now: number,
): Promise<void> {
  const used = hashes.length === 0 ? new Set() : await store.trash.usedHashes(hashes);
  for (const hash of hashes) if (!used.has(hash)) await files.remove(hash, now - graceMs);
}
