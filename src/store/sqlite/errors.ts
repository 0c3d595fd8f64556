/** Classifies SQLite errors: retry, temporary failure, or bug. */

import { Damage } from '#core/model/damage.ts';
import { Problem } from '#core/model/problem.ts';
import type { WriteFailure } from '#core/ports/store.ts';
import { say } from '#words/say.ts';
import { noRoom, onlyRead } from '../write-health.ts';

// Result codes of SQLite: https://sqlite.org/rescode.html
const busy = new Set([5, 6]);
/** Busy, locked, read-only, I/O error, full, cannot open: problems of the file and not of the statement. */
const lasting = new Set([5, 6, 8, 10, 13, 14]);
const damaged = new Set([11, 26]);
const full = 13;
const troubles: Record<number, WriteFailure> = { 8: 'read-only', 13: 'full', 14: 'gone' };
/** Violations of a primary key, a unique index, or a trigger that replaces one. */
const duplicates = new Set([1555, 2067, 1811]);

/** SQLite has the same code for a full disk and a reached quota: https://sqlite.org/rescode.html#full. */
export function isFull(error: unknown): boolean {
  return ((codeOf(error) ?? 0) & 0xff) === full;
}

/** Whether the file is read-only, or a file beside it can neither be opened nor created. */
function isUnwritable(error: unknown): boolean {
  return [8, 14].includes((codeOf(error) ?? 0) & 0xff);
}

/** Results of SQLite when it cannot make or enlarge the index of the write-ahead log: SQLITE_IOERR_SHMOPEN, _SHMSIZE, _SHMMAP. */
const noIndex = new Set([4618, 4874, 5386]);

/** Whether the file or those beside it cannot be written, for want of space or permission, and may still be read. */
export function isOnlyReadable(error: unknown): boolean {
  const code = codeOf(error) ?? 0;
  return isUnwritable(error) || isFull(error) || noIndex.has(code);
}

/** The database is open for reading only, until it can be written again. */
export class OnlyReadable extends Error {
  readonly trouble: WriteFailure;

  constructor(trouble: WriteFailure, cause: unknown) {
    super('The database can only be read.', { cause });
    this.trouble = trouble;
  }
}

/** Whether the file is corrupt or no database. */
export function isDamage(error: unknown): boolean {
  return error instanceof Damage || damaged.has((codeOf(error) ?? 0) & 0xff);
}

/** Whether others are writing. */
export function isBusy(error: unknown): boolean {
  return busy.has((codeOf(error) ?? 0) & 0xff);
}

export function isDuplicate(error: unknown, table: string, column: string): boolean {
  return duplicates.has(codeOf(error) ?? 0) && (error as Error).message.includes(`${table}.${column}`);
}

/** The open files are no longer those under their names, so anything written to them would be lost. */
export class FilesGone extends Error {}

/** Reason why a write failed; undefined if the write itself was the reason. */
export function writeFailureOf(error: unknown): WriteFailure | undefined {
  if (error instanceof Problem) return error.cause === undefined ? undefined : writeFailureOf(error.cause);
  if (error instanceof FilesGone) return 'gone';
  if (error instanceof OnlyReadable) return error.trouble;
  const code = codeOf(error);
  if (code !== undefined) return lasting.has(code & 0xff) ? (troubles[code & 0xff] ?? 'failed') : undefined;
  // Errors of our own sync of the log.
  const { syscall } = error as NodeJS.ErrnoException;
  return syscall === 'fdatasync' ? 'failed' : undefined;
}

/** Returns Problem `unavailable`, or the error itself. */
export function translate(error: unknown): unknown {
  if (error instanceof FilesGone) {
    return new Problem('unavailable', say('problem.theDataFolderOfTheWikiNo'), { cause: error });
  }
  if (isDamage(error) && !(error instanceof Damage))
    return new Damage(`The database file is damaged (${(error as Error).message}).`, { cause: error });
  if (error instanceof OnlyReadable)
    return new Problem('unavailable', error.trouble === 'full' ? noRoom : onlyRead, { cause: error });
  const code = codeOf(error);
  if (code === undefined || !lasting.has(code & 0xff)) return error;
  const sentence = isFull(error)
    ? noRoom
    : writeFailureOf(error) === 'read-only'
      ? onlyRead
      : say('problem.theDatabaseCannotSaveThisNowPlease');
  return new Problem('unavailable', sentence, { cause: error });
}

function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}
