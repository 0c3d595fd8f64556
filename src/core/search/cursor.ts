/**
 * A cursor: position in an ordered list, given by the sort key of the last entry instead of a count. Entries that appear or
 * disappear meanwhile do not cause others to be repeated or skipped.
 */

import { say } from '#words/say.ts';
import { invalid } from '../model/problem.ts';
import type { Position, SearchOrder } from '../ports/list-reads.ts';

export type CursorOrder = Exclude<SearchOrder, 'relevance'>;

const maxLength = 4000;

/** Cursor after this position in results of this order. */
export function writeCursor(order: CursorOrder, { key, id }: Position): string {
  return encodeCursor([order, key, id]);
}

/** The parts as base64url of a JSON array. Not sealed: readers must check what they read from it. */
export function encodeCursor(parts: [order: string, key: string | number, last: string | number]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/**
 * Returns undefined for the empty cursor, which starts a list. Refuses `invalid` for a malformed cursor or one of another
 * order.
 */
export function readCursor(text: string, order: SearchOrder): Position | undefined {
  if (order === 'relevance') throw invalid('?cursor', say('problem.aListByRelevanceHasNoCursors'));
  if (text === '') return undefined;
  const [of, key, id] = decodeCursor(text);
  const isKey = typeof key === (order === 'tree' || order.endsWith('alphabetical') ? 'string' : 'number');
  if (
    of !== order ||
    !isKey ||
    !Number.isSafeInteger(id) ||
    !String(key).isWellFormed() ||
    String(key).includes('\0')
  )
    throw invalid('?cursor', say('problem.theCursorDoesNotBelongToThis2'));
  return { key: key as string | number, id: id as number };
}

/** The three parts of a cursor, unchecked; empty if the text is no cursor. */
export function decodeCursor(text: string): unknown[] {
  if (text.length > maxLength) return [];
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(value) && value.length === 3 ? value : [];
  } catch {
    return [];
  }
}
