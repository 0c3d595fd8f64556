/** Meaning of an error of PostgreSQL: try again, try elsewhere, come back later, or a bug. */
import pg from 'pg';
import { Damage } from '#domain/maintenance/damage.ts';
import type { WriteTrouble } from '#domain/ports/store.ts';
import { Problem } from '#domain/problem.ts';
import { noRoom } from '../write-health.ts';

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const conflicts = new Set(['40001', '40P01']);
/** A standby that takes no writes, a connection that is closed by the server. */
const gone = new Set(['25006', '57P01', '57P02', '57P03', '57P05']);
/** No space left on device, or a quota. */
const full = '53100';
/** Classes: connection, resources, the system's own errors. */
const lastingClasses = new Set(['08', '53', '58']);
/** SQLSTATE `data_corrupted` for tables and `index_corrupted` for indexes. */
const damaged = new Set(['XX001', 'XX002']);
/** A file of a table that is missing or cannot be read, where there are others. */
const unreadable = new Set(['58P01', '58030']);
/** A statement that took too long was ended. */
const ended = '57014';
/** The driver's own words, where it gives no code. */
const driverSays =
  /^(Connection terminated|Connection ended|timeout exceeded|timeout expired|Query read timeout|Client (has encountered a connection error|was closed)|Cannot use a pool after)/;

/** The transaction's connection broke while it was being committed: nobody knows whether it was. */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('The connection broke during the commit.', { cause });
    this.name = 'CommitUnknown';
  }
}

/** Two transactions stood in each other's way: the same again may well work. */
export function isConflict(error: unknown): boolean {
  return conflicts.has(codeOf(error));
}

/** A block of a table is not what was written, or its file cannot be read; others may well be. */
export function isDamage(error: unknown): boolean {
  return error instanceof Damage || damaged.has(codeOf(error)) || unreadable.has(codeOf(error));
}

/** The server is gone, or is not what it was. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error);
  if (error instanceof pg.DatabaseError) return gone.has(code) || code.startsWith('08');
  // Sockets fail with codes of the system, names that cannot be looked up with those of its resolver.
  return error instanceof Error && ('syscall' in error || driverSays.test(error.message));
}

/** Nothing was heard in time: the server may be gone, or only busy. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && /\btimeout\b/i.test(error.message);
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Trouble that made a write fail. Undefined if the write itself was the reason. */
export function troubleOf(error: unknown): WriteTrouble | undefined {
  if (error instanceof Problem) return error.cause === undefined ? undefined : troubleOf(error.cause);
  if (error instanceof CommitUnknown) return troubleOf(error.cause) ?? 'failed';
  const code = codeOf(error);
  if (code === full) return 'full';
  if (code === '25006') return 'read-only';
  return isLost(error) || lastingClasses.has(code.slice(0, 2)) ? 'failed' : undefined;
}

/** Problem `unavailable`, or the error itself. */
export function translate(error: unknown): unknown {
  if (error instanceof CommitUnknown) {
    return new Problem(
      'unavailable',
      'The database went away while this was being saved. Please look whether it was, and try again in a moment.',
      { cause: error },
    );
  }
  const code = codeOf(error);
  if (damaged.has(code))
    return new Damage(`The database is damaged (${(error as Error).message}).`, { cause: error });
  const isLasting =
    isLost(error) || isConflict(error) || code === ended || lastingClasses.has(code.slice(0, 2));
  if (!isLasting) return error;
  const sentence =
    code === full ? noRoom : 'The database cannot take this now. Please try again in a moment.';
  return new Problem('unavailable', sentence, { cause: error });
}
