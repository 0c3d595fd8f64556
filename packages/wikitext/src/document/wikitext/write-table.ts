/**
 * Writes tables. Cells that are added are laid out as those beside them:
 *
 *   | a || b        with a cell more      | a || x || b
 *
 *   | a             with a cell more      | a
 *   | b                                   | x
 *                                         | b
 */
import { NotExpressible } from '../edited.ts';
import type { Place } from '../inline.ts';
import type { Block, SourceBlock } from '../nodes.ts';
import { writeSequence } from '../sequence.ts';
import type { Writing } from './writing.ts';

const caption: Place = { kind: 'caption', isOneLine: true, isLineStart: false };

/** Returns a new table, one cell a line. */
export function writeTable(writer: Writing, now: Block): string {
  const parts = (now.children ?? []).map((part, index) =>
    part.type === 'caption'
      ? `|+ ${writer.inline(undefined, part, caption)}`
      : writeRow(writer, part, index > 0),
  );
  return ['{| class="wikitable"', ...parts, '|}'].join('\n');
}

function writeRow(writer: Writing, row: Block, needsBars: boolean, isInline = false): string {
  if (row.type !== 'row') throw new NotExpressible('A table has rows.', row.path);
  const cells = new Cells(isInline);
  let text = '';
  for (const cell of row.children ?? [])
    text += cells.placed(newCell(writer, cell, cells.hasBars(cell)), text, true);
  return needsBars ? `|-\n${text}` : text;
}

/** Returns the source of a table in which only the rows and cells that differ are changed. */
export function changeTable(writer: Writing, old: SourceBlock, now: Block): string {
  const { origin, content, children = [] } = old;
  const open = writer.source.slice(origin.start, content.start);
  const rows = children.filter(({ type }) => type === 'row');
  const isInline = rows.some((row) => isInlineRow(writer, row));
  let count = 0;
  const withBars = (text: string) => (count++ > 0 && !text.startsWith('|-') ? `|-\n${text}` : text);
  const keeps = (text: string, { type }: Block) => (type === 'row' ? withBars(text) : text);
  const text = writeSequence(writer.source, { content, children }, now.children ?? [], {
    keep: keeps,
    change: (from, part) =>
      part.type === 'caption'
        ? writer.source.slice(from.origin.start, from.content.start) + writer.inline(from, part, caption)
        : withBars(changeRow(writer, from, part)),
    write: (part) => {
      if (part.type === 'caption') return `|+ ${writer.inline(undefined, part, caption)}`;
      // A row that was moved keeps its bytes.
      const from = writer.find(part);
      if (from) return withBars(changeRow(writer, from, part));
      return withBars(
        writeRow(writer, part, count > 0 || rows[0]?.origin.start !== rows[0]?.content.start, isInline),
      );
    },
    separator: () => '\n',
  });
  const close = writer.source.slice(content.end, origin.end);
  return `${open}${text}${/(?<!\s)\s*$/.exec(open + text)?.[0].includes('\n') ? '' : '\n'}${close}`;
}

function isInlineRow(writer: Writing, { children = [] }: SourceBlock): boolean {
  return children.some(({ origin }) =>
    /^(?:\|\||!!)/.test(writer.source.slice(origin.start, origin.start + 2)),
  );
}

function changeRow(writer: Writing, old: SourceBlock, now: Block): string {
  const { origin, content, children = [] } = old;
  const bars = writer.source.slice(origin.start, content.start);
  const cells = new Cells(isInlineRow(writer, old));
  const text = writeSequence(writer.source, { content, children }, now.children ?? [], {
    keep: (written, _old, before) => cells.placed(written, before),
    change: (from, cell, before) => cells.placed(changeCell(writer, from, cell), before),
    write: (cell, before) => {
      const from = writer.find(cell);
      const bars = cells.hasBars(cell);
      if (!from) return cells.placed(newCell(writer, cell, bars), before, true);
      const moved = changeCell(writer, from, cell);
      return cells.placed(moved.replace(/^(?:\|\||!!|[|!])/, bars), before, true);
    },
    separator: () => '',
  });
  return bars + text;
}

/** Lays out the cells of a row. */
class Cells {
  readonly #isInline: boolean;
  #last: string | undefined;

  constructor(isInline: boolean) {
    this.#isInline = isInline;
  }

  /** Bars of a new cell. */
  hasBars({ attrs }: Block): string {
    const sign = attrs.header === true ? '!' : '|';
    const isAlike = this.#last === undefined || this.#last.startsWith(sign);
    return this.#isInline && isAlike ? sign + sign : sign;
  }

  placed(cell: string, before: string, isNew = false): string {
    const isDouble = /^(?:\|\||!!)/.test(cell);
    const isLineStart = before === '' || /\n[ \t]*$/.test(before);
    const isMultiLine = this.#last?.includes('\n') ?? false;
    this.#last = cell;
    const single = isDouble ? cell.slice(1) : cell;
    if (isLineStart) return single;
    if (!isDouble || isMultiLine) return `\n${single}`;
    return isNew && !/\s$/.test(before) ? ` ${cell}` : cell;
  }
}

function newCell(writer: Writing, cell: Block, bars: string): string {
  if (cell.type !== 'cell') throw new NotExpressible('A row has cells.', cell.path);
  const attributes = withAttributes('', {}, cell.attrs);
  const open = attributes === '' ? bars : `${bars} ${attributes} |`;
  const text = cellText(writer, undefined, cell, open);
  return text === '' ? open : `${open}${/^\n/.test(text) ? '' : ' '}${text}`;
}

function changeCell(writer: Writing, old: SourceBlock, now: Block): string {
  const { origin, content, attrs } = old;
  const written = writer.source.slice(origin.start, content.start);
  const [, bars = '', given, space = ''] = /^(\|\||!!|[|!])([^|]*\|)?(\s*)$/.exec(written) ?? [];
  let open = written;
  if (bars !== '' && JSON.stringify(attrs) !== JSON.stringify(now.attrs)) {
    const sign = now.attrs.header === true ? '!' : '|';
    const kind =
      attrs.header === now.attrs.header
        ? bars
        : attrs.header === true || bars.length === 1
          ? sign.repeat(bars.length)
          : '\n!';
    const own = withAttributes((given ?? '|').slice(0, -1), attrs, now.attrs);
    open = kind + (own === '' ? '' : ` ${own} |`) + space;
  }
  const text = cellText(writer, old, now, open);
  if (
    text === '' ||
    /\s$/.test(open) ||
    (content.end > content.start && !/^[-+}|!]/.test(text)) ||
    text.startsWith('\n')
  )
    return open + text;
  return `${open} ${text}`;
}

/** Blocks of a cell. Text may follow the bar; other blocks begin a line. */
function cellText(writer: Writing, old: SourceBlock | undefined, now: Block, open: string): string {
  const place: Place = {
    kind: now.attrs.header === true ? 'th' : 'td',
    isOneLine: false,
    isLineStart: false,
  };
  const isOnBar = !open.includes('\n');
  const onBar: Place = { ...place, isOneLine: true };
  const isOnFirst = (written: string) => written.trim() === '' && isOnBar;
  const content = old?.content ?? { start: 0, end: 0 };
  const text = writer.blocks({ content, children: old?.children ?? [] }, now.children ?? [], {
    change: (from, part, written) =>
      part.type === 'paragraph'
        ? writer.inline(
            from,
            part,
            isOnFirst(written) ? place : { ...place, kind: 'block', isLineStart: true },
          )
        : writer.change(from, part),
    write: (part, written) =>
      part.type === 'paragraph'
        ? writer.inline(
            undefined,
            part,
            isOnFirst(written) ? onBar : { ...place, kind: 'block', isLineStart: true },
          )
        : writer.write(part),
  });
  const [first] = now.children ?? [];
  const beginsLine = first && !/^(?:paragraph|call|source|figure|formula|codeBlock)$/.test(first.type);
  return beginsLine && isOnBar && !text.startsWith('\n') ? `\n${text}` : text;
}

function withAttributes(given: string, old: Block['attrs'], now: Block['attrs']): string {
  let own = given.trim();
  for (const name of ['colspan', 'rowspan'] as const) {
    if ((old[name] ?? 1) === now[name]) continue;
    own = own.replace(new RegExp(`(?<!\\s)\\s*\\b${name}\\s*=\\s*(?:"[^"]*"|'[^']*'|\\S+)`, 'i'), '');
    const span = Number(now[name]);
    if (Number.isInteger(span) && span > 1) own += ` ${name}="${span}"`;
  }
  if ((old.align ?? null) !== now.align) {
    own = own
      .replace(/(?<!\s)\s*\balign\s*=\s*(?:"[^"]*"|'[^']*'|\S+)/i, '')
      .replace(/text-align\s*:\s*\w+\s*;?\s*/i, '')
      .replace(/(?<!\s)\s*\bstyle\s*=\s*(?:""|'')/i, '');
    if (/^(?:left|right|center)$/.test(String(now.align))) {
      const style = /\bstyle\s*=\s*"/i.exec(own);
      own = style
        ? own.replace(style[0], `${style[0]}text-align: ${now.align}; `)
        : `${own} style="text-align: ${now.align}"`;
    }
  }
  return own.trim();
}
