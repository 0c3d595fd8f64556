/**
 * Files on disk, addressed by content: `ab/cd/<sha-256>` within the folder. Bytes are written to a temporary file, synced and
 * renamed, so a name either has all its bytes or does not exist.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, open, opendir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileStore, FoundBlob } from '#core/ports/file-store.ts';
import { isHash, noSpool, openSpool, troubleWith, unlessMissing } from './spool.ts';

/**
 * Creates the folder if necessary, unless opened read-only. All paths are made from hashes of 64 hexadecimal digits, so no
 * external name reaches the file system.
 */
export async function openDisk(
  folder: string,
  makeRoom?: () => void,
  isReadOnly = false,
): Promise<FileStore> {
  const spool = isReadOnly ? noSpool : await openSpool(join(folder, 'tmp'), makeRoom);

  function pathOf(hash: string): string {
    return join(folder, hash.slice(0, 2), hash.slice(2, 4), hash);
  }

  async function find(hash: string): Promise<FoundBlob | undefined> {
    const found = isHash(hash) ? await unlessMissing(() => stat(pathOf(hash))) : undefined;
    return found && { hash, sizeBytes: found.size, storedAt: found.mtimeMs };
  }

  return {
    put(bytes, maxBytes) {
      return spool(bytes, maxBytes, async (part, { hash }) => {
        await sync(part);
        // Storing bytes that exist must refresh their time, or a cleanup could remove them during the upload.
        const now = new Date();
        await utimes(part, now, now);
        const target = pathOf(hash);
        await mkdir(dirname(target), { recursive: true, mode: 0o700 });
        await rename(part, target);
        // A rename is durable once every folder with a new entry is synced.
        for (const parent of [dirname(target), dirname(dirname(target)), folder]) await sync(parent);
      });
    },
    find,
    trouble: () => troubleWith(join(folder, 'tmp')),
    async open(hash, range) {
      if (!isHash(hash)) return undefined;
      const stream = createReadStream(pathOf(hash), range);
      return unlessMissing(async () => {
        await once(stream, 'open');
        return stream;
      });
    },
    async remove(hash, storedBefore = Number.POSITIVE_INFINITY) {
      const found = await find(hash);
      if (!found || found.storedAt >= storedBefore) return false;
      // Renames the file first, so that the file that was inspected is the one removed, even during a concurrent upload.
      const aside = join(folder, 'tmp', randomBytes(16).toString('hex'));
      const taken = await unlessMissing(async () => {
        await rename(pathOf(hash), aside);
        return stat(aside);
      });
      if (!taken) return false;
      if (taken.mtimeMs >= storedBefore) {
        await rename(aside, pathOf(hash));
        return false;
      }
      await rm(aside);
      return true;
    },
    async *list() {
      for await (const path of filesBeneath(folder)) {
        const found = await find(path.slice(path.lastIndexOf('/') + 1));
        if (found) yield found;
      }
    },
  };
}

async function sync(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}

/** Walks two levels of folders with one folder open at a time, so memory does not depend on the number of files. */
async function* filesBeneath(folder: string): AsyncIterable<string> {
  const entries = await unlessMissing(() => opendir(folder));
  for await (const entry of entries ?? []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && /^[0-9a-f]{2}$/.test(entry.name)) yield* filesBeneath(path);
    else if (entry.isFile()) yield path;
  }
}
