/** Output of the inline pass and input of the block pass: a flat sequence of text, tags and finished nodes, line by line. */
import type { Attributes, Node } from './tree.ts';

/** All tokens have all fields in one order, so that V8 gives them one hidden class. */
export type Token = {
  kind: 'text' | 'quote' | 'open' | 'close' | 'leaf';
  /** Offsets in the prepared text; for `open`, `close` and `leaf`, offsets in the source. */
  start: number;
  end: number;
  /** Element name, of `open` and `close`. */
  name: string;
  attributes: Attributes | undefined;
  /** For `open`, a node to fill instead of a plain element; for `leaf`, the finished node. */
  node: Node | undefined;
  /** Effects on paragraphs; see `prepared.ts`. */
  effects: number;
  /** For `quote`, the number of apostrophes that are markup (2, 3 or 5). The first ones, beyond that number, are text. */
  count: number;
};

/** Creates a token for the prepared text between two offsets. */
export function textToken(start: number, end: number): Token {
  return { kind: 'text', start, end, name: '', attributes: undefined, node: undefined, effects: 0, count: 0 };
}

/** Creates a token for a run of apostrophes. Four mean bold and one apostrophe; five are the most that mean anything. */
export function quoteToken(start: number, end: number): Token {
  const length = end - start;
  const count = length === 4 ? 3 : Math.min(length, 5);
  return { kind: 'quote', start, end, name: '', attributes: undefined, node: undefined, effects: 0, count };
}

/** Creates a token for a start tag, with its offsets in the source. `node` is filled instead of a plain element. */
export function openToken(name: string, start: number, end: number, node?: Node): Token {
  return { kind: 'open', start, end, name, attributes: undefined, node, effects: 0, count: 0 };
}

/** Creates a token for an end tag, with its offsets in the source. */
export function closeToken(name: string, start: number, end: number): Token {
  const token = openToken(name, start, end);
  token.kind = 'close';
  return token;
}

/** Creates a token for a node. If `effects` is not 0, the node is a block. */
export function leafToken(node: Node, effects: number): Token {
  const { start, end } = node;
  return { kind: 'leaf', start, end, name: '', attributes: undefined, node, effects, count: 0 };
}
