/** Rows of tables, as ranges of whole lines. */
import type { Change } from './apply.ts';
import { guardCell, placeOf } from './guard.ts';
import type { CellNode, SourceTree, TableNode } from './nodes.ts';

/** Together, the rows are the table without its first line, its caption and its last line. */
export type SourceRow = {
  /** Start of the line `|-`, or of the first cell of a row without it. */
  start: number;
  /** Start of the next row, or of the line that ends the table. */
  end: number;
  cells: CellNode[];
};

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
    found.push({ start, end: start, cells: [cell] });
  }
  const last = found[found.length - 1];
  if (last) last.end = closing(source, table);
  return found;
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
