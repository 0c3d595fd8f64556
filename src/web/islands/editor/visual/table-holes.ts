/**
 * Rows of tables that are shorter than others: prosemirror-tables wants a cell in every place. Such rows are shown filled, as
 * browsers show them, but are sent as they were read, or else a word anywhere in the page would write those cells.
 */
import { Fragment, type Node } from 'prosemirror-model';
import { EditorState } from 'prosemirror-state';
import { fixTables, TableMap } from 'prosemirror-tables';
import { nodeType } from './commands.ts';

/** Rows that are shown otherwise → the same as they were read. */
export type FilledRows = WeakMap<Node, Node>;

/** Origin of a cell that fills a hole. Undo makes the cell anew, but with what it said. */
const hole: readonly number[] = [];

/** Puts cells into the holes of all tables. */
export function withFilledHoles(document: Node, rows: FilledRows): Node {
  const state = EditorState.create({ doc: withCells(document) });
  const shown = fixTables(state)?.doc ?? state.doc;
  remember(document, shown, rows);
  return shown;
}

/** prosemirror-tables would put some cells at the start of a row. */
function withCells(node: Node): Node {
  if (node.isTextblock || node.isLeaf) return node;
  const problems = (node.type.name === 'table' && TableMap.get(node).problems) || [];
  const children = node.children.map((child, index) => {
    const count = problems.reduce(
      (sum, one) => sum + (one.type === 'missing' && one.row === index ? one.n : 0),
      0,
    );
    const inside = withCells(child);
    if (count === 0) return inside;
    const type = child.lastChild?.type ?? nodeType('cell');
    const cells = Array.from({ length: count }, () =>
      type.create({ origin: hole }, nodeType('paragraph').create()),
    );
    return inside.copy(inside.content.append(Fragment.from(cells)));
  });
  return withChildren(node, children);
}

function withChildren(node: Node, children: readonly Node[]): Node {
  return children.every((child, index) => child === node.child(index))
    ? node
    : node.copy(Fragment.from([...children]));
}

function remember(read: Node, shown: Node, rows: FilledRows): void {
  if (read === shown || read.type !== shown.type) return;
  if (read.type.name !== 'row')
    for (const [index, child] of read.children.entries()) remember(child, shown.child(index), rows);
  else rows.set(shown, read);
}

/** A node with the rows that nobody has edited as they were read, and without cells that were added at the end of others. */
export function asRead(node: Node, rows: FilledRows): Node {
  const known = rows.get(node);
  if (known) return known;
  if (node.isTextblock || node.isLeaf) return node;
  const children = node.children.map((child) => asRead(child, rows));
  if (node.type.name === 'row') while (children.length > 1 && fillsHole(children.at(-1))) children.pop();
  return children.length === node.childCount
    ? withChildren(node, children)
    : node.copy(Fragment.from(children));
}

function fillsHole(cell: Node | undefined): boolean {
  const { origin } = cell?.attrs ?? {};
  return Array.isArray(origin) && origin.length === 0 && cell?.textContent === '' && cell.content.size === 2;
}
