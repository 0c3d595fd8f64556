/**
 * Files of a source: those of a folder or of a zip. Nothing is unpacked, so no name can lead out of anywhere; links are not
 * followed, names that begin with a dot passed over, and what is read is bounded whatever the archive says of itself.
 */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { maxBodyBytes } from '#domain/pages/page-fields.ts';
import { Problem } from '#domain/problem.ts';
import type { Omission } from '../source.ts';

export interface FileTree extends AsyncDisposable {
  /** Paths joined by `/`, in order. */
  paths: readonly string[];
  leftOut: readonly Omission[];
  open(path: string): AsyncIterable<Uint8Array>;
  /** When it was last changed, in milliseconds. */
  changedAt(path: string): Promise<number>;
}

const maxFiles = 500_000;
const maxDepth = 60;
/** Limit for all files of an archive, unpacked. */
const maxUnpackedBytes = 20_000_000_000;
/** GitBook keeps pictures in a folder whose name begins with a dot. */
const passedOver = /(?:^|\/)(?:\.(?!gitbook(?:\/|$))[^/]*|node_modules|__MACOSX)(?:\/|$)/;
const symbolicLink = 0xa000;
const kindOfFile = 0xf000;

export async function openFolder(folder: string): Promise<FileTree> {
  const paths: string[] = [];
  const leftOut: Omission[] = [];
  const walk = async (at: string, depth: number): Promise<void> => {
    const entries = await readdir(join(folder, at), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = `${at}${entry.name}`;
      if (passedOver.test(path)) continue;
      if (entry.isSymbolicLink()) leftOut.push({ source: path, why: 'it is a symbolic link' });
      else if (entry.isDirectory() && depth < maxDepth) await walk(`${path}/`, depth + 1);
      else if (entry.isFile()) paths.push(path);
      else leftOut.push({ source: path, why: 'it is no file, or lies too deep' });
      refuseMany(paths.length);
    }
  };
  await walk('', 0);
  return {
    ...{ paths, leftOut },
    open: (path) => createReadStream(join(folder, path)),
    changedAt: async (path) => (await stat(join(folder, path))).mtimeMs,
    async [Symbol.asyncDispose]() {},
  };
}

/** Removes a single top folder, as downloads have it, from the paths. */
export async function openZip(file: string): Promise<FileTree> {
  const zip = await reading(() => openPromise(file, { autoClose: false, strictFileNames: false }));
  const entries = new Map<string, Entry>();
  const leftOut: Omission[] = [];
  let bytes = 0;
  await reading(async () => {
    for await (const entry of zip.eachEntry()) {
      const path = entry.fileName;
      if (path.endsWith('/') || passedOver.test(path)) continue;
      bytes += entry.uncompressedSize;
      if (((entry.externalFileAttributes >>> 16) & kindOfFile) === symbolicLink)
        leftOut.push({ source: path, why: 'it is a symbolic link' });
      else if (entry.generalPurposeBitFlag & 1)
        leftOut.push({ source: path, why: 'it is encrypted', isRefusal: true });
      else entries.set(path, entry);
      refuseMany(entries.size);
      if (bytes > maxUnpackedBytes)
        throw new Problem(
          'too-large',
          `The archive holds more than ${maxUnpackedBytes} bytes: import it in parts.`,
        );
    }
  });
  const prefix = commonFolder([...entries.keys()]);
  return {
    paths: [...entries.keys()].map((path) => path.slice(prefix.length)).sort((a, b) => (a < b ? -1 : 1)),
    leftOut,
    open: (path) => entryBytes(zip, entries.get(prefix + path)),
    changedAt: async (path) =>
      entries
        .get(prefix + path)
        ?.getLastModDate()
        .getTime() ?? 0,
    async [Symbol.asyncDispose]() {
      zip.close();
    },
  };
}

/** A document's text. Refuses what is not UTF-8 or longer than a page may be. */
export async function textOf(tree: FileTree, path: string): Promise<string> {
  return textIn(await bytesOf(tree, path, maxBodyBytes));
}

/** Refuses `too-large`. */
export async function bytesOf(tree: FileTree, path: string, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of tree.open(path)) {
    length += chunk.length;
    if (length > maxBytes) throw new Problem('too-large', `it has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Refuses `invalid` for what is not UTF-8. */
export function textIn(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r\n?/g, '\n');
  } catch {
    throw new Problem('invalid', 'it is not UTF-8 text');
  }
}

async function* entryBytes(zip: ZipFile, entry: Entry | undefined): AsyncGenerator<Uint8Array> {
  if (!entry) throw new Problem('invalid', 'it is not there any more');
  yield* await reading(() => zip.openReadStreamPromise(entry));
}

async function reading<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem || (error as NodeJS.ErrnoException).syscall) throw error;
    throw new Problem('invalid', `The archive is damaged or unsafe: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

function refuseMany(count: number): void {
  if (count > maxFiles)
    throw new Problem('too-large', `There are more than ${maxFiles} files: import it in parts.`);
}

function commonFolder(paths: string[]): string {
  const first = paths[0] ?? '';
  const folder = first.slice(0, first.indexOf('/') + 1);
  return folder !== '' && paths.every((path) => path.startsWith(folder)) ? folder : '';
}
