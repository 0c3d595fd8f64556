/** Foster parenting (HTML standard, §13.2.6.1): what may not stand in a table is put before it. */
import { type Container, currentPlace, type Open, type Place } from './open-element.ts';
import { findOpen } from './stack.ts';
import type { Node } from './tree.ts';

/** Puts `node` before the innermost open table and answers in what it now stands: `root` without a table. */
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
