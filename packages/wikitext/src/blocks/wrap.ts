/**
 * Puts text that stands bare on the page or in a `<blockquote>` into paragraphs, so that it is never beside blocks unstyled.
 *
 *   a<div>b</div>c        <p>a</p><div>b</div><p>c</p>
 *   <b>a<div>b</div></b>  <p><b>a</b></p><b><div>b</div></b>
 */

import type { Node } from '../tree.ts';
import { isBlockNode } from './block-node.ts';

/** `children` with their bare runs in paragraphs, but for what was `fostered` out of tables. */
export function wrapText(children: Node[], fostered: ReadonlySet<Node> | undefined): Node[] {
  // Most pages are blocks already, with white space between them.
  if (!fostered && children.every((child) => isBlockNode(child) || isSpaceOrMarker(child))) return children;
  const out: Node[] = [];
  let run: Node[] = [];
  for (const child of children) {
    if (fostered?.has(child) || isBlockNode(child)) {
      addRun(out, run);
      run = [];
      out.push(child);
    } else if (!holdsBlock(child, 0)) run.push(child);
    else {
      for (const piece of splitAtBlocks(child, 0, fostered)) {
        if (!piece.isBlock) {
          run.push(piece.node);
          continue;
        }
        addRun(out, run);
        run = [];
        out.push(piece.node);
      }
    }
  }
  addRun(out, run);
  return out;
}

/** Adds inline nodes that follow each other, in a paragraph if there is anything to see in them. */
function addRun(out: Node[], run: Node[]): void {
  const first = run[0];
  const last = run[run.length - 1];
  if (!first || !last || !run.some(isVisible)) {
    for (const node of run) out.push(node);
    return;
  }
  const { start } = first;
  out.push({ type: 'element', name: 'p', attributes: undefined, children: run, start, end: last.end });
}

/** White space alone does not settle whether a piece is a block. */
type Piece = { node: Node; isBlock: boolean; isSettled: boolean };

/** An inline element that holds blocks becomes several, each around only blocks or only text. */
function splitAtBlocks(node: Node, depth: number, fostered: ReadonlySet<Node> | undefined): Piece[] {
  if (isBlockNode(node) || fostered?.has(node)) return [{ node, isBlock: true, isSettled: true }];
  const inner = childrenOf(node);
  if (!inner || depth > 120 || !inner.some((child) => holdsBlock(child, depth)))
    return [{ node, isBlock: false, isSettled: true }];
  const pieces: Piece[] = [];
  let group: Piece | undefined;
  for (const child of inner) {
    for (const piece of splitAtBlocks(child, depth + 1, fostered)) {
      const isSpace = piece.node.type === 'text' && !isVisible(piece.node);
      const isAfterBlock = group?.isBlock && group.isSettled;
      if (group && !group.isSettled && !isSpace) {
        group.isBlock = piece.isBlock;
        group.isSettled = true;
      } else if (!group || (isSpace ? isAfterBlock : group.isBlock !== piece.isBlock)) {
        const isBlock = isAfterBlock && isSpace ? true : piece.isBlock;
        group = { node: { ...node, children: [] } as Node, isBlock, isSettled: !isSpace };
        pieces.push(group);
      }
      // White space between blocks is for no one to see.
      if (!(isSpace && isAfterBlock)) childrenOf(group.node)?.push(piece.node);
    }
  }
  return pieces;
}

function holdsBlock(node: Node, depth: number): boolean {
  if (isBlockNode(node)) return true;
  return depth <= 120 && (childrenOf(node)?.some((child) => holdsBlock(child, depth + 1)) ?? false);
}

function childrenOf(node: Node): Node[] | undefined {
  return node.type === 'element' || node.type === 'link' || node.type === 'external-link'
    ? node.children
    : undefined;
}

function isSpaceOrMarker(node: Node): boolean {
  // A fixed space is something to see.
  return node.type === 'marker' || (node.type === 'text' && !/[^ \t\n\r\f]/.test(node.value));
}

function isVisible(node: Node): boolean {
  if (node.type === 'text' || node.type === 'marker') return !isSpaceOrMarker(node);
  if (node.type === 'element')
    return node.name === 'br' || node.children.some(isVisible) || node.children.length === 0;
  return true;
}
