/** Removes stored bytes that no page names: left by refused uploads and replaced files. */
import type { FileStore, FoundBlob } from './files.ts';
import { heldUploadLifetimeMs } from './held-upload.ts';
import type { Store } from './store.ts';

/** Younger bytes may belong to an upload whose row is about to be written, or whose form is still open. */
const graceMs = 2 * heldUploadLifetimeMs;

export async function sweepFiles(store: Store, files: FileStore, now: number): Promise<number> {
  const used = new Set<string>();
  for await (const hash of store.upkeep.fileHashes()) used.add(hash);
  let removed = 0;
  const isOld = (found: FoundBlob | undefined) => found !== undefined && found.storedAt <= now - graceMs;
  for await (const listed of files.list()) {
    const { hash } = listed;
    if (used.has(hash) || !isOld(listed)) continue;
    // A list may be some time old: an upload may have brought the same bytes again since.
    if (!isOld(await files.find(hash))) continue;
    await files.remove(hash);
    removed++;
  }
  return removed;
}
