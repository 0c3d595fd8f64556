/** Rows of tables, as ranges of whole lines. */
import { firstFrom } from '../elements.ts';
import type { Change } from './apply.ts';
import { guardCell, placeOf } from './guard.ts';
import type { Range, SourceRow, SourceTree, TableNode, TagAttribute } from './nodes.ts';
import { readAttributes } from './tag-parts.ts';

/** Returns the rows of a table from top to bottom. Rows without cells are left out. */
export function rows({ source }: SourceTree, table: TableNode): SourceRow[] {
  const found: SourceRow[] = [];
  for (const cell of table.cells) {
    if (cell.kind === 'caption') continue;
    const last = found[found.length - 1];
    if (last && last.cells[0]?.row === cell.row) {
      last.cells.push(cell);
      continue;
    }
    const before = last?.cells[last.cells.length - 1]?.end ?? table.start;
    const lines = source.slice(before, cell.start);
    // The last `|-` counts: others begin rows without cells.
    const mark = [...lines.matchAll(/(?:^|\n)([ \t]*\|-)/g)].at(-1);
    const start = mark
      ? before + mark.index + mark[0].length - (mark[1]?.length ?? 0)
      : source.lastIndexOf('\n', cell.start - 1) + 1;
    if (last) last.end = start;
    const attributeRange = mark && rangeAfterMark(source, start);
    const attributes = attributeRange ? attributesIn(source, table, attributeRange) : [];
    found.push({ start, end: start, cells: [cell], attributes, attributeRange });
  }
  const last = found[found.length - 1];
  if (last) last.end = closing(source, table);
  return found;
}

function rangeAfterMark(source: string, start: number): Range {
  const [line = ''] = source.slice(start).split('\n', 1);
  return { start: start + (/^[ \t]*\|-+/.exec(line)?.[0].length ?? 0), end: start + line.length };
}

/** Comments and calls in the line are no attributes. */
function attributesIn(source: string, table: TableNode, { start, end }: Range): TagAttribute[] {
  let text = source.slice(start, end);
  for (let at = firstFrom(table.children, start); ; at++) {
    const inner = table.children[at];
    if (!inner || inner.end > end) break;
    if (inner.type === 'text') continue;
    const after = text.slice(inner.end - start);
    text = text.slice(0, inner.start - start).padEnd(inner.end - start, '\0') + after;
  }
  return readAttributes(source, text, start);
}

/** Start of the line `|}`, or the end of a table that is never closed. */
function closing(source: string, { start, end }: TableNode): number {
  const line = source.lastIndexOf('\n', end - 1) + 1;
  return line > start && /^[ \t]*\|\}/.test(source.slice(line, end)) ? line : end;
}

/** Inserts a row of cells, in wikitext, before the row of that number; at the end if there is none. */
export function insertRow(
  tree: SourceTree,
  table: TableNode,
  index: number,
  cells: readonly string[],
): Change {
  const { source } = tree;
  const all = rows(tree, table);
  const next = all[index];
  const at = next?.start ?? all[all.length - 1]?.end ?? closing(source, table);
  const place = placeOf(tree, table);
  const written = cells.map((cell) => {
    const text = guardCell(cell.trim(), 'td', place);
    // A space keeps the text from forming `|-`, `|+` or `|}`; a list or a table must begin a line.
    return /^(?:[*#:;]|\{\|)/.test(text) ? `|\n${text}` : `| ${text}`;
  });
  const isMarked = next === undefined || /^[ \t]*\|-/.test(source.slice(next.start, next.end));
  const before = at > 0 && source[at - 1] !== '\n' ? '\n' : '';
  return { start: at, end: at, text: `${before}|-\n${written.join('\n')}\n${isMarked ? '' : '|-\n'}` };
}
