/**
 * Converts markup that counts only at the start of a line to marks: tables, headings and rules.
 *
 *   {| border="1"          == Heading ==          ----
 *   ! a !! b
 *   |-
 *   | 1 || 2
 *   |}
 */
import { char } from '../characters.ts';
import { lineStarts } from '../constructs.ts';
import type { Context } from '../context.ts';
import { Composer, type Prepared } from '../prepared.ts';
import { readAttributes } from '../sanitize.ts';
import { Table } from './table.ts';

const needed = /\{\||(?:^|\n)(?:=|----)/;

/**
 * `inItem`: the text is in a list item, so its first line continues the text before it and does not count as the start of a
 * line.
 */
export function markLineStarts(context: Context, prepared: Prepared, inItem: boolean): Prepared {
  const { text } = prepared;
  // A single line that only opens a table, without attributes, shows nothing.
  if (
    !inItem &&
    text.length <= 202 &&
    /^[^\S\n]*\{\|[^\n\0]*$/.test(text) &&
    readAttributes(text.slice(text.indexOf('|') + 1), 'table') === undefined
  )
    return new Composer().finish();
  if (!needed.test(text)) return prepared;
  const out = new Composer();
  const tables = new Table(context, prepared, out);
  let start = 0;
  for (;;) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const isContinued = inItem && start === 0;
    if (isContinued) out.copyFrom(prepared, start, end);
    const done = isContinued || tables.line(start, end) ? 'done' : line(start, end);
    if (newline < 0) break;
    if (done === 'takes empty lines after it') {
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
    while (at < text.length && text.charCodeAt(at) <= char.space && text.charCodeAt(at) !== char.nul) at++;
    return at;
  }

  function line(start: number, end: number) {
    const construct = start < end ? lineStarts[text[start] ?? ''] : undefined;
    const done = construct?.({ prepared, start, end, out });
    if (!done) out.copyFrom(prepared, start, end);
    return done;
  }
}
