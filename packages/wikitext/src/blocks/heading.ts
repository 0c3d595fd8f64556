/**
 * heading ::= ^ ={n} text ={n} blank* $        n from 1 to 6, the smaller of both sides; what is left over is text
 *
 *   == History ==            <h2 id="History">History</h2>
 *   === a ==                 <h2 id="=_a">= a</h2>
 *
 * Begin pages with level 2: the page's title is level 1.
 */
import { isSpace } from '../characters.ts';

export type HeadingLine = { level: number; start: number; end: number };

/** The heading on the line between two offsets, or undefined. */
export function headingLine(text: string, start: number, lineEnd: number): HeadingLine | undefined {
  let end = lineEnd;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  let left = 0;
  while (left < 6 && text.charCodeAt(start + left) === 61) left++;
  let right = 0;
  while (right < 6 && end - 1 - right >= start && text.charCodeAt(end - 1 - right) === 61) right++;
  let level = Math.min(left, right);
  if (end - start < 2 * level + 1) level = Math.floor((end - start - 1) / 2);
  if (level < 1) return undefined;
  let from = start + level;
  let to = end - level;
  while (from < to && isSpace(text.charCodeAt(from))) from++;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
  return { level, start: from, end: to };
}
