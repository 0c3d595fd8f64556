/** Removes stored bytes that no change refers to, left by refused uploads. Replaced files are kept. */
import type { FileStore } from '../ports/file-store.ts';
import type { Store } from '../ports/store.ts';
import { uploadTicketLifetimeMs } from '../ports/upload-tickets.ts';

/** Younger bytes may belong to an upload in progress or to an open form. */
const graceMs = 2 * uploadTicketLifetimeMs;

/**
 * Removes stored bytes that no row names, unless they were stored a short while ago. Returns how many files were removed.
 */
export async function sweepFiles(store: Store, files: FileStore, now: number): Promise<number> {
  const used = new Set<string>();
  for await (const hash of store.maintenance.fileHashes()) used.add(hash);
  let removed = 0;
  const before = now - graceMs;
  for await (const { hash, storedAt } of files.list()) {
    if (used.has(hash) || storedAt >= before) continue;
    // The list may be outdated: the same bytes may have been uploaded again, which updates their time.
    if (await files.remove(hash, before)) removed++;
  }
  return removed;
}
