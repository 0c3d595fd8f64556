/** Writes a backup: rows first, as one moment of the database, then the bytes that those rows name. */
import { createHash, hash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { type FileHandle, open, readFile, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Pack, pack } from 'tar-stream';
import { Problem } from '#core/model/problem.ts';
import type { FileStore } from '#core/ports/file-store.ts';
import type { Store } from '#core/ports/store.ts';
import { formatName, formatVersion, hashesIn, type Manifest } from './format.ts';

interface ArchiveSource {
  store: Store;
  files: FileStore;
  keyFile: string | undefined;
  coppice: string;
  createdAt: Date;
}

/** `part` is written durably and readable by its owner alone. */
export async function writeArchive(
  part: string,
  source: ArchiveSource,
  onDamage: (sentence: string) => void,
): Promise<Manifest> {
  const rowsPart = `${part}.rows`;
  await using rowsFile = await open(rowsPart, 'wx+', 0o600);
  // It needs no name, and so is gone however the process ends.
  await rm(rowsPart);
  const { rows, hashes } = await writeRows(rowsFile, source.store, onDamage);
  const key = source.keyFile === undefined ? undefined : await readKey(source.keyFile);
  const sizes = new Map<string, number>();
  for await (const { hash, sizeBytes } of source.files.list()) {
    if (hashes.has(hash)) sizes.set(hash, sizeBytes);
  }
  const missing = [...hashes].filter((hash) => !sizes.has(hash));
  const { coppice, createdAt } = source;
  const manifest: Manifest = {
    format: formatName,
    version: formatVersion,
    coppice,
    createdAt: createdAt.toISOString(),
    rows,
    key: key ? { bytes: key.length, sha256: hash('sha256', key) } : null,
    files: sizes.size,
    missing,
  };
  const archive = pack();
  const written = pipeline(
    Readable.from(archive),
    createGzip(),
    createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }),
  );
  const filled = fill(archive, { manifest, rowsFile, key, sizes }, source);
  // Whichever fails first ends the other: a full disk the reading, a vanished file the writing.
  filled.catch((error: Error) => archive.destroy(error));
  await Promise.all([written, filled]);
  return manifest;
}

interface Contents {
  manifest: Manifest;
  rowsFile: FileHandle;
  key: Buffer | undefined;
  /** Bytes of each file, by its hash. */
  sizes: ReadonlyMap<string, number>;
}

async function fill(
  archive: Pack,
  { manifest, rowsFile, key, sizes }: Contents,
  { files, createdAt }: ArchiveSource,
): Promise<void> {
  const add = (name: string, size: number, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) =>
    addEntry(archive, { name, size, mode: 0o600, mtime: createdAt }, bytes);
  const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  await add('manifest.json', text.length, [text]);
  await add('rows.jsonl', manifest.rows.bytes, rowsFile.createReadStream({ start: 0, autoClose: false }));
  if (key) await add('key', key.length, [key]);
  for (const [hash, size] of sizes) {
    const bytes = await files.open(hash);
    if (!bytes)
      throw new Error(`The bytes of file ${hash} disappeared during the backup. Run the backup again.`);
    await add(`files/${hash}`, size, bytes);
  }
  archive.finalize();
}

async function addEntry(
  archive: Pack,
  header: { name: string; size: number; mode: number; mtime: Date },
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const { promise: finished, resolve, reject } = Promise.withResolvers<void>();
  const entry = archive.entry(header, (error) => (error ? reject(error) : resolve()));
  for await (const chunk of bytes) {
    if (!entry.write(chunk)) await once(entry, 'drain');
  }
  entry.end(null);
  await finished;
}

async function writeRows(
  handle: FileHandle,
  store: Store,
  onDamage: (sentence: string) => void,
): Promise<{ rows: Manifest['rows']; hashes: Set<string> }> {
  const sha256 = createHash('sha256');
  const hashes = new Set<string>();
  let bytes = 0;
  const lines = async function* () {
    for await (const row of store.maintenance.dump(onDamage)) {
      for (const hash of hashesIn(row)) hashes.add(hash);
      const line = Buffer.from(`${JSON.stringify(row)}\n`);
      sha256.update(line);
      bytes += line.length;
      yield line;
    }
  };
  await handle.writeFile(lines());
  return { rows: { bytes, sha256: sha256.digest('hex') }, hashes };
}

async function readKey(keyFile: string): Promise<Buffer | undefined> {
  try {
    return await readFile(keyFile);
  } catch (error) {
    // A wiki that never served has no key yet.
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code !== 'EACCES') throw error;
    throw new Problem(
      'not-permitted',
      `The key ${keyFile} cannot be read. Run the backup as the user that runs the wiki.`,
    );
  }
}
