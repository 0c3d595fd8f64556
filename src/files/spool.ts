/**
 * Takes in bytes of uploads. Their hash is known only after the last byte, so until then they are in a temporary file, counted
 * and hashed. Memory stays constant, and nobody ever sees half a file.
 */

import { createHash, randomBytes } from 'node:crypto';
import { access, constants, type FileHandle, open, opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredBlob } from '#core/model/file.ts';
import { Problem } from '#core/model/problem.ts';
import type { WriteFailure } from '#core/ports/store.ts';
import { say } from '#words/say.ts';
import { makeFolder } from './folder.ts';

/** A temporary file of this age belongs to a process that has died. */
const abandonedMs = 24 * 60 * 60 * 1000;

/** Codes of the system where nothing can be written: no space, a quota, a read-only file system. */
const unwritable = /^(ENOSPC|EDQUOT|EROFS)$/;

/** Piece that is hashed in about a millisecond. */
const pieceBytes = 256 * 1024;

/**
 * Takes in at most `maxBytes` (Problem `too-large`) and passes the path of a temporary file with the bytes to `keep`, which may
 * move it away. The temporary file is always removed afterwards, also on errors. Problem `unavailable` if the disk is full.
 */
type Spool = (
  bytes: AsyncIterable<Uint8Array> | Uint8Array,
  maxBytes: number,
  keep: (part: string, blob: StoredBlob) => Promise<void>,
) => Promise<StoredBlob>;

/**
 * Creates the folder if necessary, and removes what dead processes have left there. `makeRoom` is called when the disk is full,
 * before the write is tried once more.
 */
export async function openSpool(folder: string, makeRoom: () => void = () => {}): Promise<Spool> {
  let isMade = true;
  try {
    makeFolder(folder);
    await sweepAbandoned(folder);
  } catch (error) {
    // Files can be read all the same, and uploads say why they are refused.
    if (!unwritable.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    isMade = false;
  }
  return async (bytes, maxBytes, keep) => {
    const part = join(folder, randomBytes(16).toString('hex'));
    try {
      // Only if that failed before: a folder that has disappeared since must not be replaced by an empty one.
      if (!isMade) makeFolder(folder);
      isMade = true;
      const blob = await write(part, bytes, maxBytes, makeRoom);
      await keep(part, blob);
      return blob;
    } catch (error) {
      throw roomProblem(error) ?? error;
    } finally {
      await rm(part, { force: true });
    }
  };
}

/** Spool of a store that is read-only; every call fails. */
export const noSpool: Spool = async () => {
  throw new Problem('unavailable', say('problem.thisProcessOnlyReadsFilesAndCannot'));
};

/** Returns why the folder of a spool cannot be written to any more, or undefined if it can. */
export async function troubleWith(folder: string): Promise<WriteFailure | undefined> {
  try {
    await access(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? 'gone' : ['EROFS', 'EACCES'].includes(code) ? 'read-only' : 'failed';
  }
}

export async function unlessMissing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export function isHash(hash: string): boolean {
  return /^[0-9a-f]{64}$/.test(hash);
}

async function write(
  path: string,
  bytes: AsyncIterable<Uint8Array> | Uint8Array,
  maxBytes: number,
  makeRoom: () => void,
): Promise<StoredBlob> {
  const sha256 = createHash('sha256');
  const md5 = createHash('md5');
  let sizeBytes = 0;
  await using handle = await open(path, 'wx', 0o600);
  for await (const chunk of bytes instanceof Uint8Array ? inPieces(bytes) : bytes) {
    // A stream set to decode text would bypass the limit, because text has no `byteLength`.
    if (!(chunk instanceof Uint8Array)) throw new TypeError('Files are stored from bytes, not from text.');
    const position = sizeBytes;
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes)
      throw new Problem('too-large', say('problem.aFileCanHaveAtMostBytes', { maxBytes }));
    sha256.update(chunk);
    md5.update(chunk);
    await writeAt(handle, chunk, position).catch((error: unknown) => {
      if (!roomProblem(error)) throw error;
      makeRoom();
      return writeAt(handle, chunk, position);
    });
  }
  return { hash: sha256.digest('hex'), sizeBytes, md5: md5.digest('hex') };
}

async function writeAt(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** Hashing a large buffer at once would block the event loop. */
function* inPieces(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes);
}

async function sweepAbandoned(folder: string): Promise<void> {
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    const found = await unlessMissing(() => stat(path));
    if (found && Date.now() - found.mtimeMs > abandonedMs) await rm(path, { force: true });
  }
}

function roomProblem(error: unknown): Problem | undefined {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') {
    return new Problem('unavailable', say('problem.theFolderOfTheFilesNoLonger'), { cause: error });
  }
  if (!['ENOSPC', 'EDQUOT', 'EROFS', 'EFBIG'].includes(code)) return undefined;
  return new Problem('unavailable', say('problem.thereIsNoSpaceForFilesAt'), { cause: error });
}
