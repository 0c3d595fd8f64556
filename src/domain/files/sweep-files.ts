/** Removes stored bytes that no change of a page names: left by refused uploads. Replaced files stay. */
import type { FileStore } from '../ports/file-store.ts';
import type { Store } from '../ports/store.ts';
import { uploadTicketLifetimeMs } from '../ports/upload-tickets.ts';

/** Younger bytes may belong to an upload whose row is about to be written, or whose form is still open. */
const graceMs = 2 * uploadTicketLifetimeMs;

export async function sweepFiles(store: Store, files: FileStore, now: number): Promise<number> {
  const used = new Set<string>();
  for await (const hash of store.maintenance.fileHashes()) used.add(hash);
  let removed = 0;
  const before = now - graceMs;
  for await (const { hash, storedAt } of files.list()) {
    if (used.has(hash) || storedAt >= before) continue;
    // The list may be some time old: an upload may have brought the same bytes again since.
    if (await files.remove(hash, before)) removed++;
  }
  return removed;
}
