/**
 * heading ::= ^ ={n} text ={n} blank* $        n from 1 to 6, the smaller of both sides; what is left over is text
 *
 *   == History ==            <h2 id="History">History</h2>
 *   === a ==                 <h2 id="=_a">= a</h2>
 *
 * Begin pages with level 2: the page's title is level 1.
 */
import { char, isSpace } from '../characters.ts';
import { sourceEnd, sourceOffset } from '../prepared.ts';
import type { LineConstruct } from './line-construct.ts';

export const heading: LineConstruct = ({ prepared, start, end, out }) => {
  const found = headingLine(prepared.text, start, end);
  if (!found) return undefined;
  const { level } = found;
  const name = `h${level}`;
  const from = sourceOffset(prepared, start);
  const to = sourceEnd(prepared, end);
  out.openNode({
    type: 'heading',
    name,
    attributes: undefined,
    level,
    id: '',
    children: [],
    start: from,
    end: to,
  });
  out.copyFrom(prepared, found.start, found.end);
  out.close(name, to, to);
  return 'takes empty lines after it';
};

type HeadingLine = { level: number; start: number; end: number };

/** Returns the heading on the line between two offsets; undefined if it is not a heading. */
export function headingLine(text: string, start: number, lineEnd: number): HeadingLine | undefined {
  let end = lineEnd;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  let left = 0;
  while (left < 6 && text.charCodeAt(start + left) === char.equals) left++;
  let right = 0;
  while (right < 6 && end - 1 - right >= start && text.charCodeAt(end - 1 - right) === char.equals) right++;
  let level = Math.min(left, right);
  if (end - start < 2 * level + 1) level = Math.floor((end - start - 1) / 2);
  if (level < 1) return undefined;
  let from = start + level;
  let to = end - level;
  while (from < to && isSpace(text.charCodeAt(from))) from++;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
  return { level, start: from, end: to };
}
