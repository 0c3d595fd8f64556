/** Writes tables: one line for each row, below the first a line that aligns the columns. */
import {
  type Block,
  keyOfBlock,
  NotExpressible,
  type Place,
  type SourceBlock,
  writeSequence,
} from '@coppice/wikitext/document';
import type { Writing } from './writing.ts';

const inCell: Place = { kind: 'td', isOneLine: true, isLineStart: false };

function textOf(writer: Writing, old: SourceBlock | undefined, cell: Block): string {
  const [only, ...others] = cell.children ?? [];
  if (cell.type !== 'cell' || others.length > 0 || (only && only.type !== 'paragraph'))
    throw new NotExpressible('A cell in Markdown is one paragraph.', cell.path);
  if (Number(cell.attrs.colspan ?? 1) > 1 || Number(cell.attrs.rowspan ?? 1) > 1)
    throw new NotExpressible('Markdown has no cells over several rows or columns.', cell.path);
  return only ? writer.inline(old?.children?.[0], only, inCell) : '';
}

const aligned: Readonly<Record<string, string>> = { left: ':---', right: '---:', center: ':---:' };

function lineOfAlignment(row: Block | undefined): string {
  const cells = (row?.children ?? []).map(({ attrs }) => aligned[String(attrs.align)] ?? '---');
  return `| ${cells.join(' | ')} |`;
}

/** Returns a new table. `prefix`: the marks of quotes and the indentation at the start of its lines. */
export function writeTable(writer: Writing, now: Block, prefix: string): string {
  const rows = now.children ?? [];
  const lines = rows.map((row) => writeRow(writer, row));
  return [lines[0], lineOfAlignment(rows[0]), ...lines.slice(1)].join(`\n${prefix}`);
}

function writeRow(writer: Writing, row: Block): string {
  if (row.type !== 'row') throw new NotExpressible('A table in Markdown has rows only.', row.path);
  return `| ${(row.children ?? []).map((cell) => textOf(writer, undefined, cell)).join(' | ')} |`;
}

/** Returns the source of a table in which only the rows or the columns that differ are changed. */
export function changeTable(writer: Writing, old: SourceBlock, now: Block, prefix: string): string {
  const { content, children = [] } = old;
  const [first] = now.children ?? [];
  const isFirst = first?.origin?.start === children[0]?.origin.start;
  if (!isFirst || columns(first) !== columns(children[0])) return changeColumns(writer, old, now, prefix);
  return writeSequence(writer.source, { content, children }, now.children ?? [], {
    change: (from, row) => changeRow(writer, from, row),
    write: (row) => movedRow(writer, old, row),
    separator: () => `\n${prefix}`,
  });
}

/** Rows keep the bytes of their cells; the line below the first is written anew. */
function changeColumns(writer: Writing, old: SourceBlock, now: Block, prefix: string): string {
  const rows = now.children ?? [];
  const lines = rows.map((row) => movedRow(writer, old, row));
  const [header] = old.children ?? [];
  const isAlike = header && columns(header) === columns(rows[0]);
  const aligned = isAlike
    ? writer.source.slice(header.content.end, header.origin.end)
    : `\n${prefix}${lineOfAlignment(rows[0])}`;
  return (
    lines[0] +
    aligned +
    lines
      .slice(1)
      .map((line) => `\n${prefix}${line}`)
      .join('')
  );
}

/** A row that was moved keeps the bytes of its cells. */
function movedRow(writer: Writing, old: SourceBlock, now: Block): string {
  const from = old.children?.find(({ origin }) => origin.start === now.origin?.start);
  return from ? changeCells(writer, from, now) : writeRow(writer, now);
}

function columns(row: Block | undefined): string {
  return JSON.stringify(row?.children?.map(({ attrs }) => attrs.align ?? null));
}

function changeRow(writer: Writing, old: SourceBlock, now: Block): string {
  return changeCells(writer, old, now) + writer.source.slice(old.content.end, old.origin.end);
}

/** The line of a row, without the one below the first. */
function changeCells(writer: Writing, old: SourceBlock, now: Block): string {
  const { content, children = [] } = old;
  const { source } = writer;
  const cells = now.children ?? [];
  const isAlike =
    cells.length === children.length &&
    cells.every((cell, index) => cell.origin?.start === children[index]?.origin.start);
  if (isAlike) {
    let text = '';
    let end = content.start;
    for (const [index, cell] of cells.entries()) {
      const from = children[index] as SourceBlock;
      const before = source.slice(end, from.origin.start);
      const written =
        cell.key === from.key ? source.slice(from.origin.start, from.origin.end) : textOf(writer, from, cell);
      text += before + written;
      end = from.origin.end;
    }
    return text + source.slice(end, content.end);
  }
  const texts = cells.map((cell) => {
    const from = children.find(({ origin: at }) => at.start === cell.origin?.start);
    return from?.key === cell.key
      ? source.slice(from.origin.start, from.origin.end)
      : textOf(writer, from, cell);
  });
  return `| ${texts.join(' | ')} |`;
}

/** The first row of a table says how its columns are aligned. */
export function alignColumns({ type, children = [] }: Omit<Block, 'key'>): void {
  if (type !== 'table') return;
  const [first, ...others] = children;
  for (const row of others) {
    for (const [index, cell] of (row.children ?? []).entries()) {
      cell.attrs = { ...cell.attrs, align: first?.children?.[index]?.attrs.align ?? null };
      cell.key = keyOfBlock(cell);
    }
    row.key = keyOfBlock(row);
  }
}
