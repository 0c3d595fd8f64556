/** Cells of a line of a table, with their places. A bar within a cell is escaped by a backslash. */
import type { Range } from '@coppice/wikitext/document';
import type { Places } from './read-inline.ts';

export type CellOfLine = { range: Range; content: string; places: Places };

/** `base`: offset of the line. */
export function cellsOf(line: string, base: number): CellOfLine[] {
  const bars: number[] = [];
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\' && line[at + 1] === '|') at++;
    else if (line[at] === '|') bars.push(at);
  }
  const first = line.startsWith('|') ? 0 : -1;
  const starts = first === 0 ? bars : [-1, ...bars];
  const cells: CellOfLine[] = [];
  for (const [index, bar] of starts.entries()) {
    const end = starts[index + 1] ?? line.length;
    // Nothing follows the last bar.
    if (index === starts.length - 1 && line.slice(bar + 1).trim() === '' && index > 0) break;
    cells.push(cellOf(line, bar + 1, end, base));
  }
  return cells;
}

function cellOf(line: string, from: number, to: number, base: number): CellOfLine {
  const written = line.slice(from, to);
  const start = Math.min(from + written.length - written.trimStart().length, to);
  const end = Math.max(start, from + written.trimEnd().length);
  // An empty cell is written behind its first space.
  const place = start === end ? from + Math.min(1, to - from) : start;
  const starts: number[] = [];
  const ends: number[] = [];
  let content = '';
  for (let at = start; at < end; at++) {
    const length = line[at] === '\\' && line[at + 1] === '|' ? 2 : 1;
    content += line[at + length - 1];
    starts.push(base + at);
    ends.push(base + at + length);
    at += length - 1;
  }
  const range =
    start === end ? { start: base + place, end: base + place } : { start: base + start, end: base + end };
  return { range, content, places: { starts, ends } };
}
