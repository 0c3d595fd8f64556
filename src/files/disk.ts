/**
 * Files on disk, addressed by content: `ab/cd/<sha-256>` beneath the folder. Bytes are written to a temporary file,
 * synced and renamed, so a name either holds all its bytes or does not exist.
 */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, open, opendir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileStore, StoredBlob } from '#domain/files.ts';
import { Problem } from '#domain/problem.ts';

/** A temporary file this old belongs to a process that died. */
const abandonedMs = 24 * 60 * 60 * 1000;

/** Creates the folder if need be. Every path is made from a hash of 64 hexadecimal digits: no name from outside gets near the disk. */
export async function openDisk(folder: string): Promise<FileStore> {
  const temporary = join(folder, 'tmp');
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  await sweepAbandoned(temporary);

  async function put(bytes: AsyncIterable<Uint8Array> | Uint8Array, maxBytes: number): Promise<StoredBlob> {
    const part = join(temporary, randomBytes(16).toString('hex'));
    try {
      const blob = await writeDurably(part, bytes, maxBytes);
      const target = pathOf(blob.hash);
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await rename(part, target);
      // Renaming is durable once every folder that names something new is.
      for (const parent of [dirname(target), dirname(dirname(target)), folder]) await syncFolder(parent);
      return blob;
    } catch (error) {
      await rm(part, { force: true });
      throw roomProblem(error) ?? error;
    }
  }

  function pathOf(hash: string): string {
    return join(folder, hash.slice(0, 2), hash.slice(2, 4), hash);
  }

  async function sizeOf(hash: string): Promise<number | undefined> {
    if (!isHash(hash)) return undefined;
    return unlessMissing(async () => (await stat(pathOf(hash))).size);
  }

  return {
    put,
    sizeOf,
    async open(hash, range) {
      if (!isHash(hash)) return undefined;
      const stream = createReadStream(pathOf(hash), range);
      return unlessMissing(async () => {
        await once(stream, 'open');
        return stream;
      });
    },
    async remove(hash) {
      if (isHash(hash)) await rm(pathOf(hash), { force: true });
    },
    async *list() {
      for await (const path of filesBeneath(folder)) {
        const hash = path.slice(path.lastIndexOf('/') + 1);
        const found = isHash(hash) ? await unlessMissing(() => stat(path)) : undefined;
        if (found) yield { hash, storedAt: found.mtimeMs };
      }
    },
  };
}

async function writeDurably(
  path: string,
  bytes: AsyncIterable<Uint8Array> | Uint8Array,
  maxBytes: number,
): Promise<StoredBlob> {
  const sha256 = createHash('sha256');
  const md5 = createHash('md5');
  let sizeBytes = 0;
  const handle = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of bytes instanceof Uint8Array ? [bytes] : bytes) {
      // A stream that was told to decode text would slip past the limit: text has no `byteLength`.
      if (!(chunk instanceof Uint8Array)) throw new TypeError('A file is stored from bytes, not from text.');
      sizeBytes += chunk.byteLength;
      if (sizeBytes > maxBytes) throw new Problem('too-large', `A file can have at most ${maxBytes} bytes.`);
      sha256.update(chunk);
      md5.update(chunk);
      await handle.writeFile(chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  // Storing again what is there already must count as new, or a sweep could take it from under its upload.
  const now = new Date();
  await utimes(path, now, now);
  return { hash: sha256.digest('hex'), sizeBytes, md5: md5.digest('hex') };
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function sweepAbandoned(temporary: string): Promise<void> {
  for await (const entry of await opendir(temporary)) {
    const path = join(temporary, entry.name);
    const found = await unlessMissing(() => stat(path));
    if (found && Date.now() - found.mtimeMs > abandonedMs) await rm(path, { force: true });
  }
}

/** Two levels down, one folder open at a time; the files need never be in memory together. */
async function* filesBeneath(folder: string): AsyncIterable<string> {
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && /^[0-9a-f]{2}$/.test(entry.name)) yield* filesBeneath(path);
    else if (entry.isFile()) yield path;
  }
}

async function unlessMissing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function roomProblem(error: unknown): Problem | undefined {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (!['ENOSPC', 'EDQUOT', 'EROFS'].includes(code)) return undefined;
  return new Problem('unavailable', 'There is no room for files at the moment.', { cause: error });
}

function isHash(hash: string): boolean {
  return /^[0-9a-f]{64}$/.test(hash);
}
