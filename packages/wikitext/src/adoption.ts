/**
 * One round of the adoption agency (HTML standard, §13.2.6.4.7), which runs when a formatting element ends although a block was
 * opened inside it. The block moves out of the element, and the block's content up to then is wrapped in a copy of the element.
 *
 *   <b>a<p>b</b>c        <b>a</b><p><b>b</b>c</p>
 */
import { currentPlace, detach, emptyCopy, endAfter, nodeOf, type Open, placeOf } from './open-element.ts';
import { trait } from './traits.ts';

/**
 * Changes the stack of open elements and the list of active formatting elements. `put` inserts an element into an open one, or
 * before the table. Returns false and changes nothing if no block is open inside the element at `formatIndex` of the stack.
 */
export function adoptBlock(
  stack: Open[],
  list: (Open | undefined)[],
  formatIndex: number,
  put: (open: Open, ancestor: Open | undefined) => void,
): boolean {
  const blockIndex = stack.findIndex((open, index) => index > formatIndex && open.traits & trait.special);
  const format = stack[formatIndex];
  const block = stack[blockIndex];
  if (!format || !block) return false;
  const at = nodeOf(block).start;
  endAfter(nodeOf(format), at);
  let bookmark = list.indexOf(format);
  let steps = 0;
  const copies: Open[] = [];
  for (let index = blockIndex - 1; index > formatIndex; index--) {
    const open = stack[index];
    if (!open) break;
    steps++;
    endAfter(nodeOf(open), at);
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
    const copy = copyOf(open, at);
    list[place] = copy;
    stack[index] = copy;
    if (copies.length === 0) bookmark = place + 1;
    copies.push(copy);
  }
  detach(block);
  let outer = stack[formatIndex - 1];
  for (const copy of copies.reverse()) {
    put(copy, outer);
    outer = copy;
  }
  put(block, outer);
  const inside = currentPlace(block);
  const { node } = inside.open ?? inside;
  const { children } = node;
  const copy = copyOf(format, children[0]?.start ?? nodeOf(block).end);
  endAfter(nodeOf(copy), children.at(-1)?.end ?? 0);
  node.children = [];
  put(copy, block);
  nodeOf(copy).children = children;
  for (const open of stack) {
    const place = currentPlace(open);
    if (place.parent?.node === node) place.parent = currentPlace(copy);
  }
  const place = list.indexOf(format);
  if (place >= 0) {
    list.splice(place, 1);
    if (place < bookmark) bookmark--;
  }
  list.splice(bookmark, 0, copy);
  stack.splice(stack.indexOf(format), 1);
  stack.splice(stack.indexOf(block) + 1, 0, copy);
  return true;
}

function copyOf(open: Open, at: number): Open {
  return { ...open, place: placeOf(emptyCopy(nodeOf(open), at), false) };
}
