/**
 * Pairs double square brackets in one walk: each `]]` closes the innermost `[[`.
 */

import { char } from '../characters.ts';
import { firstFrom } from '../elements.ts';
import { limits } from '../limits.ts';
import type { LinkTarget } from '../options.ts';

export type Bracket = {
  start: number;
  /** Offset after `]]`. */
  end: number;
  /** First pipe that is not in an inner pair, or -1. */
  pipe: number;
  hasInner: boolean;
  /** Target before the pipe; undefined until it is read. */
  target: LinkTarget | undefined;
};

/** Returns the end of a pair's label. In `[[a|[b]]]`, the third bracket closes the first one in the label. */
export function labelEnd(text: string, pair: Bracket, limit: number): number {
  const { end, pipe } = pair;
  if (pipe < 0 || end >= limit || text.charCodeAt(end) !== char.closeBracket) return end - 2;
  return text.slice(pipe + 1, end - 2).includes('[') ? end - 1 : end - 2;
}

/** The closed pairs of a text. */
export class Brackets {
  /** Pairs sorted by start. */
  readonly all: readonly Bracket[];
  /** Index of the last lookup. The next lookup is usually close to it. */
  #last = 0;

  constructor(text: string) {
    this.all = text.includes('[[') ? findPairs(text) : none;
  }

  /** Returns the pair whose `[[` is at `start`. */
  get(start: number): Bracket | undefined {
    const { all } = this;
    let index = this.#last;
    if (all[index]?.start !== start) {
      index = all[index + 1]?.start === start ? index + 1 : firstFrom(all, start);
      if (all[index]?.start !== start) return undefined;
      this.#last = index;
    }
    return all[index];
  }
}

const none: readonly Bracket[] = [];

function findPairs(text: string): Bracket[] {
  const all: Bracket[] = [];
  const open: Bracket[] = [];
  let isNested = false;
  for (let at = 0; at < text.length; at++) {
    if (open.length === 0) {
      at = text.indexOf('[[', at);
      if (at < 0) break;
    }
    const code = text.charCodeAt(at);
    if (code === char.pipe) {
      const top = open[open.length - 1];
      if (top && top.pipe < 0) top.pipe = at;
    } else if (code === char.openBracket && text.charCodeAt(at + 1) === char.openBracket) {
      // With so many brackets open, the outer ones are unlikely to be closed; dropping them saves memory and time.
      if (open.length === limits.openLinks) open.splice(0, limits.openLinks / 2);
      open.push({ start: at, end: -1, pipe: -1, hasInner: false, target: undefined });
      at++;
    } else if (code === char.closeBracket && text.charCodeAt(at + 1) === char.closeBracket) {
      const pair = open.pop();
      if (pair) {
        pair.end = at + 2;
        all.push(pair);
        const outer = open[open.length - 1];
        if (outer) {
          outer.hasInner = true;
          isNested = true;
        }
      }
      at++;
    }
  }
  return isNested ? all.sort((left, right) => left.start - right.start) : all;
}
