/** Cursors of lists of comments: the ID of the last one. */

import { invalid } from '#core/model/problem.ts';
import { say } from '#words/say.ts';

export function writeCursor(id: number): string {
  return String(id);
}

/** The ID after which the list goes on. Refuses `invalid`. */
export function readCursor(text = ''): number {
  if (text === '') return 0;
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw invalid('?cursor', say('problem.theCursorDoesNotBelongToThis3'));
}
