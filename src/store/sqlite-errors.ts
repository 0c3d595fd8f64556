/** What an error of SQLite means: try again, come back later, or a bug. */
import { Problem } from '#domain/problem.ts';

// Result codes of SQLite: https://sqlite.org/rescode.html
const busy = new Set([5, 6]);
/** Busy, locked, read-only, I/O error, full, cannot open: the file, not the statement, is the trouble. */
const lasting = new Set([5, 6, 8, 10, 13, 14]);
const duplicates = new Set([1555, 2067]);

/** Others are writing. */
export function isBusy(error: unknown): boolean {
  return busy.has((codeOf(error) ?? 0) & 0xff);
}

export function isDuplicate(error: unknown, table: string, column: string): boolean {
  return duplicates.has(codeOf(error) ?? 0) && (error as Error).message.includes(`${table}.${column}`);
}

/** Problem `unavailable`, or the error itself. */
export function translate(error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined || !lasting.has(code & 0xff)) return error;
  return new Problem('unavailable', 'The database cannot take this now. Please try again in a moment.', {
    cause: error,
  });
}

function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}
