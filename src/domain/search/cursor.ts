/**
 * A place in a list, as callers send it back: where the page before stood in the order of the list, not how many there were. So
 * pages that come and go meanwhile neither repeat nor skip another.
 */
import type { Position, SearchOrder } from '../ports/list-reads.ts';
import { invalid } from '../problem.ts';

export type CursorOrder = Exclude<SearchOrder, 'relevance'>;

const maxLength = 4000;

export function writeCursor(order: CursorOrder, { key, id }: Position): string {
  return encodeCursor([order, key, id]);
}

export function encodeCursor(parts: [order: string, key: string | number, last: string | number]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Undefined for the empty cursor, with which a list begins. Refuses `invalid` for one of another order, or of none. */
export function readCursor(text: string, order: SearchOrder): Position | undefined {
  if (order === 'relevance')
    throw invalid('?cursor', 'A list by relevance has no cursors: use “offset”, or another order.');
  if (text === '') return undefined;
  const [of, key, id] = decodeCursor(text);
  const isKey = typeof key === (order.endsWith('alphabetical') ? 'string' : 'number');
  if (
    of !== order ||
    !isKey ||
    !Number.isSafeInteger(id) ||
    !String(key).isWellFormed() ||
    String(key).includes('\0')
  )
    throw invalid(
      '?cursor',
      'No cursor of this list: take it from the header “Link” of the page before, and keep the order.',
    );
  return { key: key as string | number, id: id as number };
}

/** The three parts of a cursor, whatever they hold; empty where the text is none. */
export function decodeCursor(text: string): unknown[] {
  if (text.length > maxLength) return [];
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(value) && value.length === 3 ? value : [];
  } catch {
    return [];
  }
}
