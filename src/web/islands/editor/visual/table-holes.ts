/**
 * Rows of tables that are shorter than others: prosemirror-tables wants a cell in every place. Such rows are shown filled, as
 * browsers show them, but are sent as they were read, or else a word anywhere in the page would write those cells.
 */
import { Fragment, type Node } from 'prosemirror-model';
import { EditorState } from 'prosemirror-state';
import { fixTables, TableMap } from 'prosemirror-tables';
import { nodeType } from './commands.ts';

/** Filled rows → the same as they were read; cells that were added → undefined. */
export type FilledRows = WeakMap<Node, Node | undefined>;

/** Puts cells into the holes of all tables. */
export function filled(document: Node, rows: FilledRows): Node {
  const state = EditorState.create({ doc: withCells(document) });
  const shown = fixTables(state)?.doc ?? state.doc;
  remember(document, shown, rows);
  return shown;
}

/** prosemirror-tables would put some cells at the start of a row. */
function withCells(node: Node): Node {
  if (node.isTextblock || node.isLeaf) return node;
  if (node.type.name !== 'table') return withChildren(node, node.children.map(withCells));
  const missing = TableMap.get(node).problems?.filter(({ type }) => type === 'missing') ?? [];
  const rows = node.children.map((row, index) => {
    const count = missing.reduce((sum, one) => sum + ('row' in one && one.row === index ? one.n : 0), 0);
    const type = row.lastChild?.type ?? nodeType('cell');
    const cells = Array.from({ length: count }, () => type.create(null, nodeType('paragraph').create()));
    return row.copy(Fragment.from([...row.children.map(withCells), ...cells]));
  });
  return withChildren(
    node,
    rows.map((row, index) => (row.eq(node.child(index)) ? node.child(index) : row)),
  );
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
  else {
    rows.set(shown, read);
    for (const cell of shown.children.slice(read.childCount)) rows.set(cell, undefined);
  }
}

/** A node with the rows that nobody has edited as they were read, and without cells that were added at the end of others. */
export function asRead(node: Node, rows: FilledRows): Node {
  const known = rows.get(node);
  if (known) return known;
  if (node.isTextblock || node.isLeaf) return node;
  const children = node.children.map((child) => asRead(child, rows));
  if (node.type.name === 'row')
    for (let last = children.at(-1); children.length > 1 && last && rows.has(last); last = children.at(-1))
      children.pop();
  return children.length === node.childCount
    ? withChildren(node, children)
    : node.copy(Fragment.from(children));
}
