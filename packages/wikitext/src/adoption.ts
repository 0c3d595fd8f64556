/**
 * One round of the adoption agency (HTML standard, §13.2.6.4.7): formatting ends that a block was opened inside of. The block
 * moves out of it, and what it held until then is formatted by a copy inside.
 *
 *   <b>a<p>b</b>c        <b>a</b><p><b>b</b>c</p>
 */
import { detach, emptyCopy, type Open } from './open-element.ts';
import type { Node } from './tree.ts';

/**
 * Alters the stack of open elements and the list of formatting: `block`, at its index in the stack, is the outermost block
 * inside `format`. `put` puts a node into an open element, or before the table, and tells where it now is.
 */
export function adoptBlock(
  stack: Open[],
  list: (Open | undefined)[],
  formatIndex: number,
  blockIndex: number,
  put: (node: Node, ancestor: Open | undefined) => { children: Node[] },
): void {
  const format = stack[formatIndex];
  const block = stack[blockIndex];
  const ancestor = stack[formatIndex - 1];
  if (!format || !block) return;
  let bookmark = list.indexOf(format);
  let last = block;
  let steps = 0;
  for (let index = blockIndex - 1; index > formatIndex; index--) {
    const open = stack[index];
    if (!open) break;
    steps++;
    let place = list.indexOf(open);
    if (steps > 3 && place >= 0) {
      list.splice(place, 1);
      if (place < bookmark) bookmark--;
      place = -1;
    }
    if (place < 0) {
      stack.splice(index, 1);
      continue;
    }
    const copy: Open = { ...open, node: emptyCopy(open.node) };
    list[place] = copy;
    stack[index] = copy;
    if (last === block) bookmark = place + 1;
    detach(last);
    copy.node.children.push(last.node);
    last.parent = copy.node;
    last = copy;
  }
  detach(last);
  last.parent = put(last.node, ancestor);
  const copy: Open = { ...format, node: emptyCopy(format.node), parent: block.node };
  copy.node.children = block.node.children;
  block.node.children = [copy.node];
  for (const open of stack) if (open.parent === block.node) open.parent = copy.node;
  const place = list.indexOf(format);
  if (place >= 0) {
    list.splice(place, 1);
    if (place < bookmark) bookmark--;
  }
  list.splice(bookmark, 0, copy);
  stack.splice(stack.indexOf(format), 1);
  stack.splice(stack.indexOf(block) + 1, 0, copy);
}
