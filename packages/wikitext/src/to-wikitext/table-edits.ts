/**
 * Edits of tables: rows and cells that were put in or taken out. Everything else of the table keeps its bytes. New rows and cells
 * are laid out as those beside them.
 *
 *   {|
 *   | a || b        with the cell `c` added becomes        | a || b || c
 *   |-              and with a row less                    (both lines less)
 *   | d || e
 *   |}
 */
import { align, type Step } from './aligned-parts.ts';
import type { Editing } from './editing.ts';
import { attributesOf } from './elements.ts';
import { type HtmlElement, type HtmlNode, isElement, isSameBut } from './html-tree.ts';
import { firstChildren, ownWords, type Range, rangeOf } from './source-blocks.ts';
import { cellAttributes, cellText } from './table.ts';
import type { Change } from './text-edits.ts';

const sections = new Set(['tbody', 'thead', 'tfoot']);
/** The bars of a cell, with its attributes and their bar. */
const cellStart = /^(?:\|\||!!|[|!])(?:[^|\n[{]*=[^|\n[{]*\|(?!\|))?/;

/** Returns the changes of a table written with bars; undefined if the place of one of them is uncertain. */
export function editTable(
  edits: Editing,
  old: HtmlElement,
  now: HtmlElement,
  within: Range,
): Change[] | undefined {
  const changes: Change[] = [];
  const [before, after] = [partsOf(old.children), partsOf(now.children)];
  const whole = { rows: before.filter(({ name }) => name === 'tr'), within };
  for (const step of align(edits, before, after)) {
    const found = isRow(step)
      ? step.kind === 'change'
        ? editRow(edits, step.old, step.now)
        : step.kind === 'remove'
          ? removeRow(edits, whole, step.old)
          : insertRow(edits, whole, step.now, step.after)
      : step.kind === 'insert' && step.now.name === 'caption'
        ? insertCaption(edits, step.now, within)
        : step.kind === 'change' && step.old.name === step.now.name
          ? rangeOf(step.old) && edits.edit(step.old, step.now, rangeOf(step.old) as Range, 1)
          : undefined;
    if (!found) return undefined;
    changes.push(...found);
  }
  return changes;
}

function insertCaption(
  { text: { source }, writer }: Editing,
  caption: HtmlElement,
  within: Range,
): Change[] | undefined {
  const line = /^\{\|[^\n]*\n/.exec(source.slice(within.start, within.end))?.[0];
  if (!line) return undefined;
  const at = within.start + line.length;
  return [{ start: at, end: at, text: `|+${cellText(writer, caption, ' ').trimEnd()}\n` }];
}

function partsOf(nodes: readonly HtmlNode[]): HtmlElement[] {
  return nodes.flatMap((node) =>
    !isElement(node) ? [] : sections.has(node.name) ? partsOf(node.children) : [node],
  );
}

function isRow({ old, now }: Step): boolean {
  return (old ?? now)?.name === 'tr' && (now ?? old)?.name === 'tr';
}

// Rows ----------------------------------------------------------------------------------------------------------------

/** Returns the range of a row that begins a line of the source. */
function rowRange({ text: { source } }: Editing, row: HtmlElement | undefined): Range | undefined {
  const range = rangeOf(row);
  if (!range || !/[|!]/.test(source[range.start] ?? '') || source[range.start - 1] !== '\n') return undefined;
  return source.startsWith('{{', range.start) ? undefined : range;
}

/** Returns the range of the line `|-` before a row. */
function rowLine({ text: { source } }: Editing, start: number, from: number): Range | undefined {
  const line = /(?:^|\n)([ \t]*\|-[^\n]*\n)$/.exec(source.slice(from, start))?.[1];
  return line === undefined ? undefined : { start: start - line.length, end: start };
}

/** The rows of the rendered table, and its range. */
type Whole = { rows: readonly HtmlElement[]; within: Range };

function insertRow(
  edits: Editing,
  { rows, within }: Whole,
  row: HtmlElement,
  after: HtmlElement | undefined,
): Change[] | undefined {
  const { source } = edits.text;
  const neighbour = after?.name === 'tr' ? after : rows[0];
  const place = rowRange(edits, neighbour);
  if (!place) return undefined;
  const attributes = attributesOf(row);
  const moved = edits.writer.keptContents(row);
  const cells =
    moved === undefined
      ? rowText(edits, row, source.slice(place.start, place.end))
      : edits.writer.lines(() => edits.writer.out.put(moved));
  if (cells === undefined) return undefined;
  if (neighbour === after) {
    if (source[place.end - 1] !== '\n') return undefined;
    return [{ start: place.end, end: place.end, text: `|-${attributes}\n${cells}\n` }];
  }
  const line = rowLine(edits, place.start, within.start);
  if (line) return [{ start: line.start, end: line.start, text: `|-${attributes}\n${cells}\n` }];
  return attributes === '' ? [{ start: place.start, end: place.start, text: `${cells}\n|-\n` }] : undefined;
}

function removeRow(edits: Editing, { rows, within }: Whole, row: HtmlElement): Change[] | undefined {
  const range = rowRange(edits, row);
  const index = rows.indexOf(row);
  if (!range || edits.text.source[range.end - 1] !== '\n') return undefined;
  const before = rowLine(edits, range.start, rangeOf(rows[index - 1])?.end ?? within.start);
  if (before) return [{ start: before.start, end: range.end, text: '' }];
  // The first row needs no line before it, so that of the next row goes.
  const next = rangeOf(rows[index + 1]);
  const line = next && rowLine(edits, next.start, range.end);
  const isBare = line && /^\|-\s*$/.test(edits.text.source.slice(line.start, line.end));
  return index === 0 && (isBare || !next)
    ? [{ start: range.start, end: isBare ? line.end : range.end, text: '' }]
    : undefined;
}

/** Returns the lines of a row, laid out as `sample`. */
function rowText(edits: Editing, row: HtmlElement, sample: string): string | undefined {
  const space = spaceOf(sample);
  const isOneLine = /\|\||!!/.test(sample);
  let out = '';
  let last: string | undefined;
  for (const cell of row.children.filter((child) => isElement(child, 'td', 'th'))) {
    const bar = barOf(cell);
    const text = cellText(edits.writer, cell, space);
    if (isOneLine && last === cell.name) out += `${space}${bar}${bar}${text}`;
    else out += `${out === '' ? '' : '\n'}${bar}${text}`;
    last = text.includes('\n') ? undefined : cell.name;
  }
  return out === '' ? undefined : out;
}

function barOf({ name }: HtmlNode & { name: string }): string {
  return name === 'th' ? '!' : '|';
}

/** White space that cells have after their bars. */
function spaceOf(sample: string): string {
  const start = cellStart.exec(sample)?.[0] ?? '';
  return /\S/.test(sample[start.length] ?? ' ') ? '' : ' ';
}

// Cells ---------------------------------------------------------------------------------------------------------------

function editRow(edits: Editing, old: HtmlElement, now: HtmlElement): Change[] | undefined {
  const range = rowRange(edits, old);
  if (!range || !isSameBut(old, now)) return undefined;
  const before = old.children.filter((child) => isElement(child, 'td', 'th'));
  const after = now.children.filter((child) => isElement(child, 'td', 'th'));
  const changes: Change[] = [];
  const steps = align(edits, before, after);
  const bars = barChanges(edits, before, steps);
  if (!bars) return undefined;
  for (const step of steps) {
    const found =
      step.kind === 'change'
        ? editCell(edits, step.old, step.now)
        : step.kind === 'remove'
          ? removeCell(edits, before, step.old)
          : insertCell(edits, before, step.now, step.after);
    if (!found) return undefined;
    changes.push(...found);
    // A cell behind several lines begins a line of its own.
    const next = step.kind === 'change' ? before[before.indexOf(step.old) + 1] : undefined;
    const place = cellRange(edits, next);
    if (!next || !place || !isInline(edits, place) || !found.some(({ text }) => text.includes('\n')))
      continue;
    if (bars.length > 0) return undefined;
    const start = cellRange(edits, step.old)?.end ?? place.start;
    changes.push({ start, end: place.start + 2, text: `\n${barOf(next)}` });
  }
  return [...changes, ...bars];
}

/**
 * Returns the changes of bars where cells became headers, or headers cells: a cell stays in the line of the one before it if both are
 * of one kind.
 */
function barChanges(
  edits: Editing,
  cells: readonly HtmlElement[],
  steps: readonly Step[],
): Change[] | undefined {
  const names = new Map(steps.map((step) => [step.old, step.now?.name]));
  if (!steps.some(({ kind, old, now }) => kind === 'change' && old.name !== now.name)) return [];
  if (steps.some(({ kind }) => kind !== 'change')) return undefined;
  const changes: Change[] = [];
  let last: string | undefined;
  for (const cell of cells) {
    const range = cellRange(edits, cell);
    if (!range) return undefined;
    const name = names.get(cell) ?? cell.name;
    const isRow = isInline(edits, range);
    const bar = name === 'th' ? '!' : '|';
    const text = !isRow ? bar : last === name ? bar + bar : `\n${bar}`;
    const { start } = range;
    const end = start + (isRow ? 2 : 1);
    if (edits.text.source.slice(start, end) !== text) changes.push({ start, end, text });
    last = name;
  }
  return changes;
}

/** Returns the range of a cell, from its bars to before the white space at its end. */
function cellRange({ text: { source } }: Editing, cell: HtmlElement | undefined): Range | undefined {
  const range = rangeOf(cell);
  if (!range || !cell || !cellStart.test(source.slice(range.start, range.end))) return undefined;
  const end = range.start + source.slice(range.start, range.end).trimEnd().length;
  return { start: range.start, end };
}

function isInline(edits: Editing, cell: Range | undefined): boolean {
  return cell !== undefined && /^(?:\|\||!!)/.test(edits.text.source.slice(cell.start, cell.start + 2));
}

function editCell(edits: Editing, old: HtmlElement, now: HtmlElement): Change[] | undefined {
  const range = cellRange(edits, old);
  const whole = rangeOf(old);
  if (!range || !whole) return undefined;
  const written = edits.text.source.slice(range.start, range.end);
  const start = cellStart.exec(written)?.[0] ?? '';
  const same = { ...now, name: old.name, attributes: old.attributes };
  const isSame = edits.keyBefore(old) === edits.keyAfter(same);
  const found = isSame ? [] : edits.edit(old, same, whole, 1);
  const [before, after] = [attributesOf(old), attributesOf(now)];
  if (found) {
    if (before === after) return found;
    const at = range.start + (/^(?:\|\||!!|[|!])/.exec(start)?.[0].length ?? 0);
    return [...found, { start: at, end: range.start + start.length, text: cellAttributes(now) }];
  }
  if (old.name !== now.name || before !== after) return undefined;
  const below = belowWords(edits, { old, now }, whole, range.end);
  if (below) return below;
  const text = cellText(edits.writer, now, spaceOf(written));
  const bars = /^(?:\|\||!!|[|!])/.exec(start)?.[0] ?? '';
  return [{ ...range, text: `${bars}${text.trimEnd()}` }];
}

/** Returns the changes of a cell that got lists or other blocks below its words, which stay. */
function belowWords(
  edits: Editing,
  { old, now }: { old: HtmlElement; now: HtmlElement },
  whole: Range,
  end: number,
): Change[] | undefined {
  const { blocks } = edits.writer;
  const count = now.children.findIndex((node) => blocks.has(node));
  if (count < 1 || old.children.some((node) => blocks.has(node))) return undefined;
  const words = firstChildren(now, count);
  const isSame = edits.keyBefore(firstChildren(old, old.children.length)) === edits.keyAfter(words);
  const found = isSame ? [] : edits.edit(old, words, whole, 1);
  const item = {
    ...now,
    children: [{ type: 'text', value: ownWords } as const, ...now.children.slice(count)],
  };
  const [, tail] = cellText(edits.writer, item, '').split(ownWords);
  return found && tail !== undefined ? [...found, { start: end, end, text: tail.trimEnd() }] : undefined;
}

function insertCell(
  edits: Editing,
  cells: readonly HtmlElement[],
  cell: HtmlElement,
  after: HtmlElement | undefined,
): Change[] | undefined {
  const { source } = edits.text;
  const neighbour = after ?? cells[0];
  const place = cellRange(edits, neighbour);
  if (!place || !neighbour) return undefined;
  const space = spaceOf(source.slice(place.start, place.end));
  const text = cellText(edits.writer, cell, space);
  const bar = barOf(cell);
  const next = cellRange(edits, cells[after ? cells.indexOf(after) + 1 : 0]);
  const isSame = neighbour.name === cell.name && !text.includes('\n');
  if (!after) return [{ start: place.start, end: place.start, text: `${bar}${text}\n` }];
  const isRow = isInline(edits, next) || (!next && isInline(edits, place));
  if (isRow && isSame) return [{ start: place.end, end: place.end, text: `${space}${bar}${bar}${text}` }];
  // A cell that shares the line of the one before cannot follow a line of its own.
  return isInline(edits, next) ? undefined : [{ start: place.end, end: place.end, text: `\n${bar}${text}` }];
}

function removeCell(edits: Editing, cells: readonly HtmlElement[], cell: HtmlElement): Change[] | undefined {
  const { source } = edits.text;
  const range = cellRange(edits, cell);
  if (!range || cells.length === 1) return undefined;
  if (isInline(edits, range)) {
    const before = source.slice(0, range.start);
    return [{ start: range.start - (before.length - before.trimEnd().length), end: range.end, text: '' }];
  }
  const nextCell = cells[cells.indexOf(cell) + 1];
  const next = cellRange(edits, nextCell);
  if (!next || !isInline(edits, next)) {
    const whole = rangeOf(cell);
    return whole && source[whole.start - 1] === '\n' && source[whole.end - 1] === '\n'
      ? [{ ...whole, text: '' }]
      : undefined;
  }
  // The next cell becomes the first of the line.
  return nextCell?.name === cell.name ? [{ start: range.start, end: next.start + 1, text: '' }] : undefined;
}
