/** Foster parenting (HTML standard, §13.2.6.1): inserts content that a table may not hold before the table. */
import { type Container, currentPlace, type Open, type Place } from './open-element.ts';
import { findOpen } from './stack.ts';
import type { Node } from './tree.ts';

/** Inserts `node` before the innermost open table and returns its new parent: `root` if no table is open. */
export function fosterNode(stack: readonly Open[], root: Place, node: Node): Place {
  const open = stack[findOpen(stack, 'table', 0)];
  const table = open && currentPlace(open);
  const parent = table?.parent ?? root;
  const { children } = parent.node;
  const at = table ? children.lastIndexOf(table.node as Container) : -1;
  const before = children[at - 1];
  if (node.type === 'text' && before?.type === 'text')
    children[at - 1] = { ...before, value: before.value + node.value, end: node.end };
  else children.splice(at < 0 ? children.length : at, 0, node);
  parent.visible++;
  return parent;
}
