/**
 * Lua patterns (reference manual of Lua 5.1, §5.4.1) over characters or bytes, with every step counted. The interpreter's own
 * matching can take exponential time and cannot be interrupted. The recursion follows `lstrlib.c`.
 */
import { LuaError } from './machine.ts';

/** First and last position, counted from 1 (last < first for an empty match), then the captures: text, or a position. */
export type Match = readonly (number | string)[];

export interface Search {
  text: string;
  pattern: string;
  /** Start position, counted from 1. */
  init: number;
  /** Maximum number of matches; `find` and `match` need one. */
  limit: number;
  /** Whether a leading `^` anchors the pattern; `gmatch` takes it literally. */
  hasAnchor: boolean;
  /** Text and pattern hold bytes, and character classes are those of ASCII. */
  isBinary: boolean;
}

/** The same limit as later versions of Lua. */
const maxDepth = 200;
const maxCaptures = 32;
const maxPatternLength = 10_000;
const spendEvery = 1000;

const percent = 37;
const dollar = 36;
const dot = 46;
const minus = 45;
const openPart = -1;
const position = -2;

const asciiClasses: Readonly<Record<string, RegExp>> = {
  a: /[A-Za-z]/,
  c: /[\0-\x1f\x7f]/,
  d: /[0-9]/,
  l: /[a-z]/,
  p: /[!-/:-@[-`{-~]/,
  s: /[\t-\r ]/,
  u: /[A-Z]/,
  w: /[A-Za-z0-9]/,
  x: /[0-9A-Fa-f]/,
  z: /\0/,
};
/** Character classes of `mw.ustring`. */
const unicodeClasses: Readonly<Record<string, RegExp>> = {
  ...asciiClasses,
  a: /\p{L}/u,
  c: /\p{Cc}/u,
  d: /\p{Nd}/u,
  l: /\p{Ll}/u,
  p: /\p{P}/u,
  s: /[\t-\r\x85\p{Z}]/u,
  u: /\p{Lu}/u,
  w: /[\p{L}\p{Nd}]/u,
  x: /[0-9A-Fa-f０-９Ａ-Ｆａ-ｆ]/u,
};

/** Returns all non-overlapping matches. Calls `spend` with the number of steps taken; it may throw. */
export function findMatches(search: Search, spend: (steps: number) => void): Match[] {
  const { text, pattern, init, limit, hasAnchor, isBinary } = search;
  if (pattern.length > maxPatternLength) throw new LuaError('pattern too long');
  const matcher = new Matcher(codesOf(text, isBinary), codesOf(pattern, isBinary), isBinary, spend);
  const isAnchored = hasAnchor && matcher.pattern[0] === 94;
  const first = isAnchored ? 1 : 0;
  const found: Match[] = [];
  const { length } = matcher.text;
  let at = init > 0 ? init - 1 : 0;
  while (at <= length && found.length < limit) {
    matcher.clear();
    const end = matcher.match(at, first);
    if (end >= 0) found.push([at + 1, end, ...matcher.captures()]);
    at = end > at ? end : at + 1;
    if (isAnchored) break;
  }
  spend(matcher.steps % spendEvery);
  return found;
}

class Matcher {
  readonly text: readonly number[];
  readonly pattern: readonly number[];
  steps = 0;
  readonly #isBinary: boolean;
  readonly #classes: Readonly<Record<string, RegExp>>;
  readonly #spend: (steps: number) => void;
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];
  #depth = 0;

  constructor(
    text: readonly number[],
    pattern: readonly number[],
    isBinary: boolean,
    spend: (steps: number) => void,
  ) {
    this.text = text;
    this.pattern = pattern;
    this.#isBinary = isBinary;
    this.#classes = isBinary ? asciiClasses : unicodeClasses;
    this.#spend = spend;
  }

  clear(): void {
    this.#starts.length = 0;
    this.#depth = 0;
  }

  captures(): (number | string)[] {
    return this.#starts.map((start, index) => {
      const length = this.#lengths[index] as number;
      if (length === openPart) throw new LuaError('unfinished capture');
      return length === position ? start + 1 : this.#slice(start, start + length);
    });
  }

  #slice(from: number, to: number): string {
    let text = '';
    for (let at = from; at < to; at++) text += String.fromCodePoint(this.text[at] as number);
    return text;
  }

  #step(): void {
    if (++this.steps % spendEvery === 0) this.#spend(spendEvery);
  }

  /** Matches the pattern from `p` at position `s`. Returns the end of the match, or -1. */
  match(s: number, p: number): number {
    if (++this.#depth > maxDepth) throw new LuaError('pattern too complex');
    try {
      return this.#match(s, p);
    } finally {
      this.#depth--;
    }
  }

  #match(from: number, begin: number): number {
    const { pattern, text } = this;
    let s = from;
    let p = begin;
    for (;;) {
      this.#step();
      if (p >= pattern.length) return s;
      const code = pattern[p];
      if (code === 40) {
        return pattern[p + 1] === 41
          ? this.#startCapture(s, p + 2, position)
          : this.#startCapture(s, p + 1, openPart);
      }
      if (code === 41) return this.#endCapture(s, p + 1);
      if (code === dollar && p + 1 === pattern.length) return s === text.length ? s : -1;
      if (code === percent) {
        const next = pattern[p + 1];
        if (next === 98) {
          s = this.#balance(s, p + 2);
          if (s < 0) return -1;
          p += 4;
          continue;
        }
        if (next === 102) {
          p += 2;
          if (pattern[p] !== 91) throw new LuaError("missing '[' after '%f' in pattern");
          const end = this.#classEnd(p);
          const isIn = (code: number) => this.#inSet(code, p, end - 1);
          if (isIn(s === 0 ? 0 : (text[s - 1] as number)) || !isIn(s < text.length ? (text[s] as number) : 0))
            return -1;
          p = end;
          continue;
        }
        if (next !== undefined && next >= 48 && next <= 57) {
          s = this.#again(s, next);
          if (s < 0) return -1;
          p += 2;
          continue;
        }
      }
      const end = this.#classEnd(p);
      const repeat = pattern[end];
      if (repeat === 63) {
        if (this.#single(s, p, end)) {
          const after = this.match(s + 1, end + 1);
          if (after >= 0) return after;
        }
        p = end + 1;
        continue;
      }
      if (repeat === 42) return this.#longest(s, p, end, 0);
      if (repeat === 43) return this.#single(s, p, end) ? this.#longest(s + 1, p, end, 0) : -1;
      if (repeat === minus) return this.#shortest(s, p, end);
      if (!this.#single(s, p, end)) return -1;
      s++;
      p = end;
    }
  }

  #longest(s: number, p: number, end: number, least: number): number {
    let count = 0;
    while (this.#single(s + count, p, end)) {
      count++;
      this.#step();
    }
    for (; count >= least; count--) {
      const after = this.match(s + count, end + 1);
      if (after >= 0) return after;
    }
    return -1;
  }

  #shortest(from: number, p: number, end: number): number {
    for (let s = from; ; s++) {
      const after = this.match(s, end + 1);
      if (after >= 0) return after;
      if (!this.#single(s, p, end)) return -1;
    }
  }

  #startCapture(s: number, p: number, kind: number): number {
    if (this.#starts.length >= maxCaptures) throw new LuaError('too many captures');
    this.#starts.push(s);
    this.#lengths[this.#starts.length - 1] = kind;
    const end = this.match(s, p);
    if (end < 0) this.#starts.pop();
    return end;
  }

  #endCapture(s: number, p: number): number {
    let index = this.#starts.length - 1;
    while (index >= 0 && this.#lengths[index] !== openPart) index--;
    if (index < 0) throw new LuaError('invalid pattern capture');
    this.#lengths[index] = s - (this.#starts[index] as number);
    const end = this.match(s, p);
    if (end < 0) this.#lengths[index] = openPart;
    return end;
  }

  /** `%1`: matches the text of a capture again. */
  #again(s: number, digit: number): number {
    const index = digit - 49;
    const start = this.#starts[index];
    const length = this.#lengths[index];
    if (start === undefined || length === undefined || length === openPart)
      throw new LuaError('invalid capture index');
    if (length === position) return -1;
    for (let at = 0; at < length; at++) {
      this.#step();
      if (this.text[start + at] !== this.text[s + at]) return -1;
    }
    return s + length;
  }

  /** `%bxy` */
  #balance(s: number, p: number): number {
    const { text, pattern } = this;
    const [open, close] = [pattern[p], pattern[p + 1]];
    if (open === undefined || close === undefined) throw new LuaError('unbalanced pattern');
    if (text[s] !== open || s >= text.length) return -1;
    let depth = 1;
    for (let at = s + 1; at < text.length; at++) {
      this.#step();
      if (text[at] === close) {
        if (--depth === 0) return at + 1;
      } else if (text[at] === open) depth++;
    }
    return -1;
  }

  /** End of the single class at `p`. */
  #classEnd(p: number): number {
    const { pattern } = this;
    const code = pattern[p];
    let at = p + 1;
    if (code === percent) {
      if (at >= pattern.length) throw new LuaError("malformed pattern (ends with '%')");
      return at + 1;
    }
    if (code !== 91) return at;
    if (pattern[at] === 94) at++;
    // A leading `]` is literal.
    do {
      if (at >= pattern.length) throw new LuaError("malformed pattern (missing ']')");
      this.#step();
      if (pattern[at++] === percent) at++;
    } while (pattern[at] !== 93);
    return at + 1;
  }

  #single(s: number, p: number, end: number): boolean {
    const code = this.text[s];
    if (code === undefined) return false;
    const wanted = this.pattern[p] as number;
    if (wanted === dot) return true;
    if (wanted === percent) return this.#inClass(code, this.pattern[p + 1] as number);
    return wanted === 91 ? this.#inSet(code, p, end - 1) : wanted === code;
  }

  /** `close` is the position of the set's closing bracket. */
  #inSet(code: number, open: number, close: number): boolean {
    const { pattern } = this;
    const isNegated = pattern[open + 1] === 94;
    for (let at = open + (isNegated ? 2 : 1); at < close; at++) {
      this.#step();
      const low = pattern[at] as number;
      if (low === percent) {
        at++;
        if (this.#inClass(code, pattern[at] as number)) return !isNegated;
      } else if (pattern[at + 1] === minus && at + 2 < close) {
        at += 2;
        if (low <= code && code <= (pattern[at] as number)) return !isNegated;
      } else if (low === code) return !isNegated;
    }
    return isNegated;
  }

  #inClass(code: number, letter: number): boolean {
    const name = String.fromCodePoint(letter);
    const lower = name.toLowerCase();
    const set = Object.hasOwn(this.#classes, lower) ? this.#classes[lower] : undefined;
    if (!set || (letter > 127 && !this.#isBinary)) return letter === code;
    const isIn = set.test(String.fromCodePoint(code));
    return lower === name ? isIn : !isIn;
  }
}

function codesOf(text: string, isBinary: boolean): number[] {
  if (isBinary) return Array.from(text, (one) => one.charCodeAt(0));
  return Array.from(text, (one) => one.codePointAt(0) as number);
}
