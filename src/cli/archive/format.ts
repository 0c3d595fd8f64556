/**
 * The backup format: a gzipped tar archive of, in this order,
 *
 * - `manifest.json`: describes the rest, see `Manifest`;
 * - `rows.jsonl`: every database row as one JSON object `{table, row}` per line, the same for both engines;
 * - `key`: the file of token keys, if Coppice stores it (not if it comes from COPPICE_KEY);
 * - `files/<SHA-256>`: the bytes of every file and thumbnail that a row refers to.
 *
 * Derived data (the search index) is not included and is recomputed by a restore.
 */
import { Problem } from '#core/model/problem.ts';

export const formatName = 'coppice-backup';
/**
 * Number of the latest migration, so that versions of Coppice that do not know its tables refuse the backup. Earlier formats are
 * read, too.
 */
export const formatVersion = 34;

export interface Manifest {
  format: typeof formatName;
  version: number;
  /** Version of Coppice that made it. */
  coppice: string;
  /** ISO 8601 in UTC. */
  createdAt: string;
  rows: { bytes: number; sha256: string };
  key: { bytes: number; sha256: string } | null;
  files: number;
  /** Hashes of files whose bytes were missing at the time of the backup. */
  missing: string[];
}

export interface Row {
  table: string;
  row: Record<string, unknown>;
}

export function readManifest(text: string): Manifest {
  const manifest = parsed(text) as Partial<Manifest> | null;
  if (typeof manifest !== 'object' || manifest?.format !== formatName) {
    throw new Problem('invalid', 'This is not a backup of Coppice.');
  }
  const version = manifest.version ?? 0;
  if (!Number.isSafeInteger(version) || version < 1)
    throw new Problem('invalid', 'The manifest of the backup is damaged.');
  if (version > formatVersion) {
    throw new Problem(
      'invalid',
      `The backup was made by a later version of Coppice: it has format ${version}, and this version reads formats up to ${formatVersion}. Restore it with that version.`,
    );
  }
  const { rows, key, files, missing } = manifest;
  const isWhole =
    isPart(rows) &&
    (key === null || isPart(key)) &&
    Number.isSafeInteger(files) &&
    Array.isArray(missing) &&
    missing.every(isHash);
  if (!isWhole) throw new Problem('invalid', 'The manifest of the backup is damaged.');
  return manifest as Manifest;
}

export function readRow(line: string): Row {
  const value = parsed(line) as Partial<Row> | null;
  const isRow = typeof value?.table === 'string' && typeof value.row === 'object' && value.row !== null;
  if (!isRow) throw new Problem('invalid', 'A row in the backup is damaged.');
  return value as Row;
}

/** Hashes of bytes that a row refers to: columns of attached files. */
export function hashesIn({ table, row }: Row): string[] {
  if (table !== 'files') return [];
  return [row.hash, row.thumbnail_hash].filter((hash) => typeof hash === 'string');
}

export function isHash(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);
}

function isPart(value: unknown): boolean {
  const part = value as { bytes?: unknown; sha256?: unknown } | null | undefined;
  return typeof part === 'object' && part !== null && Number.isSafeInteger(part.bytes) && isHash(part.sha256);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem('invalid', 'The backup contains text that is not JSON.');
  }
}
