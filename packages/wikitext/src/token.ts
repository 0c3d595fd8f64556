/** What the inline pass hands to the block pass: a flat run of text, tags and finished nodes, line by line. */
import type { Attributes, Node } from './tree.ts';

export type Token = {
  kind: 'text' | 'quote' | 'open' | 'close' | 'leaf';
  /** Offsets in the prepared text; for open, close and leaf the offsets in the source. */
  start: number;
  end: number;
  /** Element name of open and close. */
  name: string;
  attributes: Attributes | undefined;
  /** Open: node to fill instead of a plain element. Leaf: the node. */
  node: Node | undefined;
  effects: number;
};

export function textToken(start: number, end: number): Token {
  return { kind: 'text', start, end, name: '', attributes: undefined, node: undefined, effects: 0 };
}

export function tagToken(
  kind: 'open' | 'close',
  name: string,
  start: number,
  end: number,
  node?: Node,
): Token {
  return { kind, start, end, name, attributes: undefined, node, effects: 0 };
}
