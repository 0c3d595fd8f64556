/**
 * Markup that counts at the start of a line only: tables, headings and rules. Turns them into marks.
 *
 *   {| border="1"          == Heading ==          ----
 *   ! a !! b
 *   |-
 *   | 1 || 2
 *   |}
 */
import type { Context } from '../context.ts';
import { Composer, type Prepared, sourceOffset } from '../prepared.ts';
import { readAttributes } from '../sanitize.ts';
import { headingLine } from './heading.ts';
import { Table } from './table.ts';

const needed = /\{\||(?:^|\n)(?:=|----)/;

export function markLineStarts(context: Context, prepared: Prepared): Prepared {
  const { text } = prepared;
  // A table that was begun and left at once is none.
  if (
    text.startsWith('{|') &&
    /^[^\n\0]{0,202}$/.test(text) &&
    readAttributes(text.slice(2), 'table') === undefined
  )
    return new Composer().finish();
  if (!needed.test(text)) return prepared;
  const out = new Composer();
  const tables = new Table(context, prepared, out);
  let start = 0;
  for (;;) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const isHeading = !tables.line(start, end) && plainLine(start, end);
    if (newline < 0) break;
    if (isHeading) {
      // Empty lines after a heading go with it.
      const next = skipSpace(end);
      if (next >= text.length) break;
      const lineBreak = text.lastIndexOf('\n', next - 1);
      out.copyFrom(prepared, lineBreak, lineBreak + 1);
      start = lineBreak + 1;
      continue;
    }
    out.copyFrom(prepared, newline, newline + 1);
    start = newline + 1;
  }
  tables.finish(text.length);
  return out.finish();

  function skipSpace(from: number): number {
    let at = from;
    while (at < text.length && text.charCodeAt(at) <= 32 && text.charCodeAt(at) !== 0) at++;
    return at;
  }

  /** Whether the line was a heading. */
  function plainLine(start: number, end: number): boolean {
    const first = text.charCodeAt(start);
    if (first === 61 && start < end) {
      const heading = headingLine(text, start, end);
      if (heading) {
        const name = `h${heading.level}`;
        const from = sourceOffset(prepared, start);
        const to = sourceOffset(prepared, end - 1) + 1;
        out.open(name, from, to, undefined, {
          type: 'heading',
          name,
          attributes: undefined,
          level: heading.level,
          id: '',
          children: [],
          start: from,
          end: to,
        });
        out.copyFrom(prepared, heading.start, heading.end);
        out.close(name, to, to);
        return true;
      }
    } else if (first === 45 && text.startsWith('----', start)) {
      let after = start + 4;
      while (text.charCodeAt(after) === 45) after++;
      out.open('hr', sourceOffset(prepared, start), sourceOffset(prepared, after - 1) + 1);
      out.copyFrom(prepared, after, end);
      return false;
    }
    out.copyFrom(prepared, start, end);
    return false;
  }
}
