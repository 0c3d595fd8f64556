/**
 * table   ::= ':'* '{|' attributes  (caption | row | cells | line)*  '|}'
 * caption ::= '|+' (attributes '|')? text      row ::= '|-' attributes
 * cells   ::= ('|' cell ('||' cell)*) | ('!' cell (('!!' | '||') cell)*)      cell ::= (attributes '|')? text
 *
 *   {| class="wikitable"      <table class="wikitable"><tr><th>Year</th><td>1999</td></tr></table>
 *   ! Year || 1999
 *   |}
 *
 * Only whole lines are examined: a cell may continue on following lines, with lists and tables inside. Content that stands in a
 * table but in no cell is moved before it, as browsers do.
 */
import { char, isSpace } from '../characters.ts';
import type { Context } from '../context.ts';
import { limits } from '../limits.ts';
import { attributeText, type Composer, type Prepared, sourceEnd, sourceOffset } from '../prepared.ts';
import { readAttributes } from '../sanitize.ts';
import type { Attributes } from '../tree.ts';

type Open = {
  hasCell: boolean;
  cell: string;
  hasRow: boolean;
  hadRow: boolean;
  rowAttributes: Attributes | undefined;
};

export class Table {
  readonly #context: Context;
  readonly #prepared: Prepared;
  readonly #out: Composer;
  readonly #open: Open[] = [];
  /** Indents of the table that began last. The indents of outer tables are forgotten. */
  #indent = 0;

  constructor(context: Context, prepared: Prepared, out: Composer) {
    this.#context = context;
    this.#prepared = prepared;
    this.#out = out;
  }

  /** Writes the line if it is part of a table; returns false otherwise. */
  line(lineStart: number, lineEnd: number): boolean {
    const { text } = this.#prepared;
    let start = lineStart;
    let end = lineEnd;
    while (start < end && isSpace(text.charCodeAt(start))) start++;
    if (start === end) return false;
    const table = this.#open[this.#open.length - 1];
    const first = text.charCodeAt(start);
    if (!table && first !== char.colon && first !== char.openBrace) return false;
    while (isSpace(text.charCodeAt(end - 1))) end--;
    let brace = start;
    while (text.charCodeAt(brace) === char.colon) brace++;
    const indent = brace - start;
    while (isSpace(text.charCodeAt(brace)) && brace < end) brace++;
    if (
      text.charCodeAt(brace) === char.openBrace &&
      text.charCodeAt(brace + 1) === char.pipe &&
      brace + 1 < end
    ) {
      if (this.#open.length >= limits.tableDepth) return false;
      this.#begin(start, brace + 2, end, indent);
      return true;
    }
    if (!table) return false;
    const second = text.charCodeAt(start + 1);
    if (first === char.pipe && second === char.closeBrace) this.#end(table, start, end);
    else if (first === char.pipe && second === char.hyphen) this.#row(table, start, end);
    else if ((first === char.pipe || first === char.exclamation) && this.#mayAddCell())
      this.#cells(table, start, end);
    else return false;
    return true;
  }

  finish(at: number): void {
    for (let table = this.#open.pop(); table; table = this.#open.pop()) {
      const position = this.#source(at);
      this.#newline(position);
      this.#closeInside(table, position);
      this.#out.close('table', position, position);
    }
  }

  #begin(start: number, attributesStart: number, end: number, indent: number): void {
    const at = this.#source(start);
    const tagEnd = sourceEnd(this.#prepared, end);
    for (let level = 0; level < indent; level++) {
      this.#out.open('dl', at, tagEnd);
      this.#out.open('dd', at, tagEnd);
    }
    this.#out.open('table', at, tagEnd, this.#attributes(attributesStart, end, 'table'));
    this.#indent = indent;
    this.#open.push({
      hasCell: false,
      cell: 'td',
      hasRow: false,
      hadRow: false,
      rowAttributes: undefined,
    });
  }

  #end(table: Open, start: number, end: number): void {
    const at = this.#source(start);
    this.#closeInside(table, at);
    this.#out.close('table', at, at + 2);
    this.#out.copyFrom(this.#prepared, start + 2, end);
    for (let level = 0; level < this.#indent; level++) {
      this.#out.close('dd', at + 2, at + 2);
      this.#out.close('dl', at + 2, at + 2);
    }
    this.#open.pop();
  }

  #closeInside(table: Open, at: number): void {
    if (table.hasCell) this.#out.close(table.cell, at, at);
    if (table.hasRow) this.#out.close('tr', at, at);
    if (table.hadRow) return;
    // A table without rows is not valid HTML.
    for (const name of ['tr', 'td']) this.#out.open(name, at, at);
    for (const name of ['td', 'tr']) this.#out.close(name, at, at);
  }

  #row(table: Open, start: number, end: number): void {
    const { text } = this.#prepared;
    const at = this.#source(start);
    let from = start + 1;
    while (text.charCodeAt(from) === char.hyphen) from++;
    if (table.hasCell) this.#out.close(table.cell, at, at);
    if (table.hasRow) this.#out.close('tr', at, at);
    table.rowAttributes = this.#attributes(from, end, 'tr');
    table.hasCell = false;
    table.hasRow = false;
    table.hadRow = true;
  }

  #cells(table: Open, start: number, end: number): void {
    const { text } = this.#prepared;
    const isHead = text.charCodeAt(start) === char.exclamation;
    const isCaption = !isHead && text.charCodeAt(start + 1) === char.plus;
    const name = isHead ? 'th' : isCaption ? 'caption' : 'td';
    let from = start + (isCaption ? 2 : 1);
    let tagStart = start;
    for (;;) {
      const to = nextSeparator(text, from, end, isHead);
      this.#context.cells++;
      if (to >= end || !this.#mayAddCell()) {
        this.#cell(table, name, { start: tagStart, from, to: end });
        return;
      }
      this.#cell(table, name, { start: tagStart, from, to });
      tagStart = to;
      from = to + 2;
    }
  }

  #mayAddCell(): boolean {
    if (this.#context.cells < limits.cells) return true;
    this.#context.notices.add(
      `The page's tables have more than ${limits.cells} cells; the rest is shown as written.`,
    );
    return false;
  }

  /** `start`: offset of the marks before the cell; the rest are offsets of what stands behind them. */
  #cell(table: Open, name: string, { start, from, to }: { start: number; from: number; to: number }): void {
    const { text } = this.#prepared;
    const at = this.#source(start);
    if (table.hasCell) {
      this.#out.close(table.cell, at, at);
      this.#newline(at);
    }
    if (name !== 'caption') {
      if (!table.hasRow) {
        this.#out.open('tr', at, at, table.rowAttributes);
        this.#newline(at);
      }
      table.rowAttributes = undefined;
      table.hasRow = true;
      table.hadRow = true;
    }
    let contentStart = from;
    let attributes: Attributes | undefined;
    const pipe = findIn(text, '|', from, to);
    // A pipe after `[[` belongs to a link, a pipe after `-{` to a language variant.
    if (pipe >= 0 && findIn(text, '[[', from, pipe) < 0 && findIn(text, '-{', from, pipe) < 0) {
      attributes = this.#attributes(from, pipe, name);
      contentStart = pipe + 1;
    }
    let contentEnd = to;
    while (contentStart < contentEnd && isSpace(text.charCodeAt(contentStart))) contentStart++;
    while (contentEnd > contentStart && isSpace(text.charCodeAt(contentEnd - 1))) contentEnd--;
    this.#out.open(name, at, sourceEnd(this.#prepared, Math.max(from, contentStart)), attributes);
    this.#out.copyFrom(this.#prepared, contentStart, contentEnd);
    table.cell = name;
    table.hasCell = true;
  }

  #attributes(start: number, end: number, element: string): Attributes | undefined {
    return start < end ? readAttributes(attributeText(this.#prepared, start, end), element) : undefined;
  }

  #newline(at: number): void {
    this.#out.copy('\n', at);
  }

  #source(offset: number): number {
    return sourceOffset(this.#prepared, offset);
  }
}

function nextSeparator(text: string, from: number, end: number, isHead: boolean): number {
  for (let at = from; at + 1 < end; at++) {
    const code = text.charCodeAt(at);
    if ((code === char.pipe || (isHead && code === char.exclamation)) && text.charCodeAt(at + 1) === code)
      return at;
  }
  return end;
}

function findIn(text: string, what: string, from: number, to: number): number {
  for (let at = from; at + what.length <= to; at++) {
    if (text.charCodeAt(at) === what.charCodeAt(0) && text.startsWith(what, at)) return at;
  }
  return -1;
}
