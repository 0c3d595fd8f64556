/**
 * Pairs of double square brackets, found in one walk: the innermost `[[` takes the first `]]`.
 */

import type { LinkTarget } from '../tree.ts';

export type Bracket = {
  start: number;
  /** After `]]`. */
  end: number;
  /** First pipe that is not in an inner pair, or -1. */
  pipe: number;
  hasInner: boolean;
  /** What stands before the pipe, once it is read. */
  target: LinkTarget | undefined;
};

/** Where the label of a pair ends. `[[a|[b]]]`: the third bracket closes the first one in the label. */
export function labelEnd(text: string, pair: Bracket, limit: number): number {
  const { end, pipe } = pair;
  if (pipe < 0 || end >= limit || text.charCodeAt(end) !== 93) return end - 2;
  return text.slice(pipe + 1, end - 2).includes('[') ? end - 1 : end - 2;
}

/** Closed pairs by the offset of their `[[`. */
export function pairBrackets(text: string): ReadonlyMap<number, Bracket> {
  return text.includes('[[') ? findPairs(text) : none;
}

const none: ReadonlyMap<number, Bracket> = new Map();

function findPairs(text: string): Map<number, Bracket> {
  const pairs = new Map<number, Bracket>();
  const open: Bracket[] = [];
  for (let at = 0; at < text.length; at++) {
    if (open.length === 0) {
      at = text.indexOf('[[', at);
      if (at < 0) break;
    }
    const code = text.charCodeAt(at);
    if (code === 124) {
      const top = open[open.length - 1];
      if (top && top.pipe < 0) top.pipe = at;
    } else if (code === 91 && text.charCodeAt(at + 1) === 91) {
      open.push({ start: at, end: -1, pipe: -1, hasInner: false, target: undefined });
      at++;
    } else if (code === 93 && text.charCodeAt(at + 1) === 93) {
      const pair = open.pop();
      if (pair) {
        pair.end = at + 2;
        pairs.set(pair.start, pair);
        const outer = open[open.length - 1];
        if (outer) outer.hasInner = true;
      }
      at++;
    }
  }
  return pairs;
}
