/** Corrects the positions of nodes that were read from a text other than the source. */
import { sourceRange } from './output/origin.ts';
import type { Node, Origin } from './tree.ts';

/** Gives nodes whose text is not in the source the position of the construct that produced them. */
export function placeAt(nodes: readonly Node[], start: number, end: number): void {
  forEach(nodes, (node) => Object.assign(node, { start, end }));
}

/** Moves nodes from their positions in a text to those in the source that `origins` state; see `Origin`. */
export function moveTo(nodes: readonly Node[], origins: readonly Origin[]): void {
  forEach(nodes, (node) => {
    const range = sourceRange(origins, node.start, node.end);
    const start = range?.start ?? sourceRange(origins, node.start, node.start + 1)?.start ?? node.start;
    Object.assign(node, range ?? { start, end: start });
    if (node.type !== 'template') return;
    for (const argument of node.arguments) {
      const { start, end, valueStart } = argument;
      const value = sourceRange(origins, valueStart, valueStart + 1);
      Object.assign(argument, sourceRange(origins, start, end), value && { valueStart: value.start });
    }
  });
}

/** Ends nodes at `end` that reach beyond it because text was added behind the source. */
export function endAt(nodes: readonly Node[], end: number): void {
  forEach(nodes, (node) => {
    if (node.end > end) Object.assign(node, { start: Math.min(node.start, end), end });
  });
}

function forEach(nodes: readonly Node[], act: (node: Node) => void): void {
  const open: Node[] = [...nodes];
  for (let node = open.pop(); node; node = open.pop()) {
    act(node);
    if (node.type === 'file') for (const child of node.caption) open.push(child);
    else if (node.type === 'template')
      for (const { children } of node.arguments) for (const child of children) open.push(child);
    else if ('children' in node && node.children) for (const child of node.children) open.push(child);
  }
}
