/** Classifies PostgreSQL errors: retry, try another server, temporary failure, or bug. */

import pg from 'pg';
import { Damage } from '#core/model/damage.ts';
import { Problem } from '#core/model/problem.ts';
import type { WriteFailure } from '#core/ports/store.ts';
import { say } from '#words/say.ts';
import { noRoom, onlyRead } from '../write-health.ts';

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const conflicts = new Set(['40001', '40P01']);
/** SQLSTATE `read_only_sql_transaction`: a standby, or a database that takes no writes. */
const readOnly = '25006';
/** It takes no writes, or has closed the connection. */
const unreachable = new Set([readOnly, '57P01', '57P02', '57P03', '57P05']);
/** No space left on the device, or a quota was reached. */
const full = '53100';
/** SQLSTATE classes of connection, resource and system errors. */
const lastingClasses = new Set(['08', '53', '58']);
/** SQLSTATE `data_corrupted` for tables and `index_corrupted` for indexes. */
const damaged = new Set(['XX001', 'XX002']);
/** A table file is missing or cannot be read, while others can. */
const unreadable = new Set(['58P01', '58030']);
/** All connections are taken. */
const crowded = '53300';
/** The server is starting, stopping or recovering. */
const notYet = '57P03';
/** A statement was cancelled because it took too long. */
const ended = '57014';
/** Messages of the driver for errors without a code. */
const driverSays =
  /^(Connection terminated|Connection ended|timeout exceeded|timeout expired|Query read timeout|Client (has encountered a connection error|was closed)|Cannot use a pool after)/;

/** The connection broke during the commit, so it is unknown whether it happened. */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('The connection broke during the commit.', { cause });
    this.name = 'CommitUnknown';
  }
}

/** Whether two transactions conflicted, so that a repetition may succeed. */
export function isConflict(error: unknown): boolean {
  return conflicts.has(codeOf(error));
}

/** Whether a block of a table is corrupt, or its file cannot be read. */
export function isDamage(error: unknown): boolean {
  return error instanceof Damage || damaged.has(codeOf(error)) || unreadable.has(codeOf(error));
}

/** The server went on refusing connections because all are taken. */
export class NoConnection extends Error {
  readonly code = crowded;
  constructor(cause: Error) {
    super(
      `${cause.message}: set DATABASE_CONNECTIONS to fewer for each process, or raise max_connections of PostgreSQL or the limit of its user or database`,
      { cause },
    );
  }
}

/** Whether all connections are taken. */
export function isCrowded(error: unknown): error is Error {
  return codeOf(error) === crowded;
}

/** Whether the server answers that it cannot answer yet. */
export function isNotYet(error: unknown): boolean {
  return codeOf(error) === notYet;
}

/** Whether the server is unreachable or has changed its role. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error);
  if (error instanceof pg.DatabaseError) return unreachable.has(code) || code.startsWith('08');
  // Several addresses of one name were tried.
  if (error instanceof AggregateError) return error.errors.every(isLost);
  // Socket errors have system codes, failed name lookups those of the resolver.
  return error instanceof Error && ('syscall' in error || driverSays.test(error.message));
}

/** Whether the server refuses to write. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === readOnly;
}

/** Whether no answer came in time, because the server is gone or busy. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && /\btimeout\b/i.test(error.message);
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Reason why a write failed; undefined if the write itself was the reason. */
export function writeFailureOf(error: unknown): WriteFailure | undefined {
  if (error instanceof Problem) return error.cause === undefined ? undefined : writeFailureOf(error.cause);
  if (error instanceof CommitUnknown) return writeFailureOf(error.cause) ?? 'failed';
  const code = codeOf(error);
  if (code === full) return 'full';
  if (code === readOnly) return 'read-only';
  return isLost(error) || lastingClasses.has(code.slice(0, 2)) ? 'failed' : undefined;
}

/** Returns Problem `unavailable`, or the error itself. */
export function translate(error: unknown): unknown {
  if (error instanceof CommitUnknown) {
    return new Problem('unavailable', say('problem.theDatabaseBecameUnavailableDuringTheSave'), {
      cause: error,
    });
  }
  const code = codeOf(error);
  if (damaged.has(code))
    return new Damage(`The database is damaged (${(error as Error).message}).`, { cause: error });
  const isLasting =
    isLost(error) || isConflict(error) || code === ended || lastingClasses.has(code.slice(0, 2));
  if (!isLasting) return error;
  const sentence =
    code === full ? noRoom : code === readOnly ? onlyRead : say('problem.theDatabaseCannotSaveThisNowPlease');
  return new Problem('unavailable', sentence, { cause: error });
}
