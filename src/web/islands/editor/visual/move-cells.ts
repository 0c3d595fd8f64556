/** Moving rows and columns of a table by one, unless a merged cell reaches across the places where it would be cut. */
import type { Node } from 'prosemirror-model';
import { type Command, type EditorState, TextSelection, type Transaction } from 'prosemirror-state';
import { CellSelection, isInTable, selectedRect } from 'prosemirror-tables';

/** `by`: -1 up, 1 down. Rows of headers stay at the top. */
export const moveRows =
  (by: 1 | -1): Command =>
  (state, dispatch) => {
    if (!isInTable(state)) return false;
    const { top, bottom, map, table } = selectedRect(state);
    const other = by < 0 ? top - 1 : bottom;
    if (other < 0 || other >= map.height) return false;
    const isCut = (row: number) =>
      row > 0 &&
      row < map.height &&
      Array.from({ length: map.width }, (_, column) => row * map.width + column).some(
        (at) => map.map[at] === map.map[at - map.width],
      );
    if ([top, bottom, by < 0 ? other : other + 1].some(isCut)) return false;
    const rows = [...table.children];
    if (isHead(rows[other]) !== isHead(rows[top])) return false;
    const [moved = table] = rows.splice(other, 1);
    rows.splice(by < 0 ? bottom - 1 : top, 0, moved);
    dispatch?.(withRows(state, rows));
    return true;
  };

/** `by`: -1 towards the first column, 1 towards the last one. */
export const moveColumns =
  (by: 1 | -1): Command =>
  (state, dispatch) => {
    if (!isInTable(state)) return false;
    const { left, right, map, table } = selectedRect(state);
    const other = by < 0 ? left - 1 : right;
    if (other < 0 || other >= map.width) return false;
    const isCut = (column: number) =>
      column > 0 &&
      column < map.width &&
      Array.from({ length: map.height }, (_, row) => row * map.width + column).some(
        (at) => map.map[at] === map.map[at - 1],
      );
    if ([left, right, by < 0 ? other : other + 1].some(isCut)) return false;
    const placeOf = (column: number) => {
      if (column === other) return by < 0 ? right - 1 : left;
      return column >= left && column < right ? column + by : column;
    };
    const rows: Node[] = [];
    table.forEach((row, rowAt) => {
      const cells: { cell: Node; place: number }[] = [];
      row.forEach((cell, at) => {
        cells.push({ cell, place: placeOf(map.findCell(rowAt + 1 + at).left) });
      });
      cells.sort((one, next) => one.place - next.place);
      const isSame = cells.every(({ cell }, index) => cell === row.child(index));
      rows.push(
        isSame
          ? row
          : row.type.create(
              row.attrs,
              cells.map(({ cell }) => cell),
            ),
      );
    });
    dispatch?.(withRows(state, rows));
    return true;
  };

function isHead(row: Node | undefined): boolean {
  return row?.children.every(({ type }) => type.name === 'headerCell') ?? false;
}

/** The table at the caret with these rows, and the selection in the same cells. */
function withRows(state: EditorState, rows: Node[]): Transaction {
  const { selection } = state;
  const { tableStart, table } = selectedRect(state);
  const tr = state.tr.replaceWith(tableStart, tableStart + table.content.size, rows);
  const moved = tr.doc.resolve(tableStart).parent;
  const placeOf = (cell: Node | null) => {
    let found = tableStart;
    moved.descendants((node, at) => {
      if (node === cell) found = tableStart + at;
      return node.type.name === 'row';
    });
    return found;
  };
  if (selection instanceof CellSelection) {
    const { $anchorCell, $headCell } = selection;
    return tr.setSelection(
      CellSelection.create(tr.doc, placeOf($anchorCell.nodeAfter), placeOf($headCell.nodeAfter)),
    );
  }
  const { $head } = selection;
  let depth = $head.depth;
  while (depth > 0 && $head.node(depth - 1).type.name !== 'row') depth--;
  const place = placeOf($head.node(depth)) + $head.pos - $head.before(depth);
  return tr.setSelection(TextSelection.near(tr.doc.resolve(place)));
}
