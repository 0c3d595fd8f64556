/**
 * Reads an untrusted backup. Its content does not influence where anything is written: entries must be regular files with known
 * names, in the known order, with the bytes that manifest and name state; otherwise the whole backup is refused.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Extract, extract } from 'tar-stream';
import { Problem } from '#core/model/problem.ts';
import { hashesIn, isHash, type Manifest, type Row, readManifest, readRow } from './format.ts';
import { RowCheck } from './row-check.ts';

const maxManifestBytes = 50_000_000;
const maxKeyBytes = 100_000;

/** Callbacks for the parts. Each must read its bytes to the end. */
interface ArchiveReader {
  rows(rows: AsyncIterable<Row>): Promise<void>;
  key(bytes: Buffer): Promise<void>;
  /** The bytes are checked against the hash as they are read: the last read throws if they do not match. */
  file(hash: string, bytes: AsyncIterable<Uint8Array>, size: number): Promise<void>;
}

/** Called with a description of the damage that ends a sentence. Without it, the first damage is refused. */
type OnDamage = (why: string) => void;

/** All that is damaged, a sentence each. Refuses what is no backup at all, or might have been made to do harm. */
export async function surveyArchive(
  path: string,
): Promise<{ manifest: Manifest; check: RowCheck; damage: string[]; damagedFiles: Set<string> }> {
  const check = new RowCheck();
  const damage: string[] = [];
  const damagedFiles = new Set<string>();
  const found: string[] = [];
  const manifest = await readArchive(
    path,
    {
      rows: async (rows) => {
        for await (const row of rows) check.add(row);
        check.end();
      },
      key: async () => {},
      file: async (hash, bytes) => {
        const before = found.length;
        for await (const _ of bytes);
        if (found.length > before) damagedFiles.add(hash);
      },
    },
    (why) => found.push(why),
  );
  for (const why of found) {
    const hash = /[0-9a-f]{64}/.exec(why)?.[0];
    if (hash) damagedFiles.add(hash);
    damage.push(`${why.charAt(0).toUpperCase()}${why.slice(1)}${hash ? ` (${check.nameOf(hash)})` : ''}.`);
  }
  return { manifest, check, damage: [...check.damage, ...damage], damagedFiles };
}

/**
 * Refuses whatever is no whole backup with a sentence, and stops at the first thing that is wrong, unless `onDamage` takes what is
 * damaged: then unreadable rows are left out.
 */
export async function readArchive(
  path: string,
  reader: ArchiveReader,
  onDamage?: OnDamage,
): Promise<Manifest> {
  const source = createReadStream(path);
  const gunzip = source.pipe(createGunzip());
  source.on('error', (error) => gunzip.destroy(error));
  const archive = extract();
  const feed = async () => {
    for await (const chunk of gunzip) if (!archive.write(chunk)) await once(archive, 'drain');
    archive.end(null);
  };
  feed().catch((error: Error) => archive.destroy(error));
  try {
    return await readEntries(archive, reader, onDamage);
  } catch (error) {
    throw asProblem(error, path);
  } finally {
    source.destroy();
    gunzip.destroy();
    archive.destroy();
  }
}

async function readEntries(
  archive: Extract,
  reader: ArchiveReader,
  onDamage: OnDamage = (why) => {
    throw refusal(why);
  },
): Promise<Manifest> {
  let manifest: Manifest | undefined;
  let hasRows = false;
  let hasKey = false;
  const named = new Set<string>();
  const seen = new Set<string>();
  for await (const entry of archive) {
    const { name, type, size } = entry.header;
    const bytes = entry as unknown as AsyncIterable<Uint8Array>;
    if (type !== 'file') throw refusal(`it contains “${shown(name)}”, which is not a regular file (${type})`);
    if (!manifest) {
      if (name !== 'manifest.json') throw new Problem('invalid', 'This is not a backup of Coppice.');
      manifest = readManifest((await whole(bytes, size, maxManifestBytes)).toString('utf8'));
    } else if (name === 'rows.jsonl' && !hasRows) {
      hasRows = true;
      if (size !== manifest.rows.bytes) throw refusal('its rows are incomplete');
      await reader.rows(
        rowsOf(checked(bytes, manifest.rows.sha256, 'its rows are damaged', onDamage), named, onDamage),
      );
    } else if (name === 'key' && hasRows && !hasKey && manifest.key) {
      hasKey = true;
      const key = await whole(
        checked(bytes, manifest.key.sha256, 'its key is damaged', onDamage),
        size,
        maxKeyBytes,
      );
      await reader.key(key);
    } else {
      const hash = name.startsWith('files/') ? name.slice('files/'.length) : '';
      if (!isHash(hash) || !hasRows || seen.has(hash) || !named.has(hash)) {
        throw refusal(`it contains “${shown(name)}”, which does not belong there`);
      }
      seen.add(hash);
      await reader.file(hash, checked(bytes, hash, `the bytes of file ${hash} are damaged`, onDamage), size);
    }
    entry.resume();
  }
  if (!manifest) throw new Problem('invalid', 'This is not a backup of Coppice.');
  if (!hasRows || (manifest.key !== null) !== hasKey) throw refusal('it ends too early');
  const missing = new Set(manifest.missing);
  for (const hash of named) {
    if (!seen.has(hash) && !missing.has(hash)) onDamage(`the bytes of file ${hash} are missing`);
  }
  return manifest;
}

async function* rowsOf(
  bytes: AsyncIterable<Uint8Array>,
  named: Set<string>,
  onDamage: OnDamage,
): AsyncIterable<Row> {
  let number = 0;
  const lines = createInterface({ input: Readable.from(bytes, { objectMode: false }), crlfDelay: Infinity });
  for await (const line of lines) {
    number++;
    const row = rowOn(line);
    if (!row) {
      onDamage(`line ${number} of its rows is damaged`);
      continue;
    }
    for (const hash of hashesIn(row)) named.add(hash);
    yield row;
  }
}

function rowOn(line: string): Row | undefined {
  try {
    return readRow(line);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

async function* checked(
  bytes: AsyncIterable<Uint8Array>,
  sha256: string,
  otherwise: string,
  onDamage: OnDamage,
): AsyncIterable<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== sha256) onDamage(otherwise);
}

async function whole(bytes: AsyncIterable<Uint8Array>, size: number, maxBytes: number): Promise<Buffer> {
  if (size > maxBytes) throw refusal('one of its parts is far too large');
  return Buffer.concat(await Array.fromAsync(bytes));
}

function refusal(why: string): Problem {
  return new Problem('invalid', `The backup cannot be restored: ${why}. Nothing was changed.`);
}

function shown(name: string): string {
  return name.replace(/\p{Cc}/gu, '�').slice(0, 100);
}

/** Turns errors of gzip and tar about bytes of another format into a refusal. */
function asProblem(error: unknown, path: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new Problem('not-found', `There is no file ${path}.`);
  if (code === 'EISDIR') return new Problem('invalid', 'The backup is a folder, not a file.');
  const isDamage = code?.startsWith('Z_') || /tar|header|checksum|unexpected end/i.test(message ?? '');
  return isDamage && !(error instanceof Problem) ? refusal('it is damaged or not a backup') : error;
}
