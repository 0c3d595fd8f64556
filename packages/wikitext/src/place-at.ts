/** Gives nodes whose text is not in the source the position of the construct that produced them. */
import type { Node } from './tree.ts';

export function placeAt(nodes: readonly Node[], start: number, end: number): void {
  const open: Node[] = [...nodes];
  for (let node = open.pop(); node; node = open.pop()) {
    Object.assign(node, { start, end });
    if (node.type === 'file') for (const child of node.caption) open.push(child);
    else if ('children' in node && node.children) for (const child of node.children) open.push(child);
  }
}
