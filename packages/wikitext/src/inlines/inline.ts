/**
 * Scans prepared text from one significant character to the next and calls the construct that begins there. Emits finished
 * lines. Each character is examined a bounded number of times.
 */
import { char } from '../characters.ts';
import type { Context } from '../context.ts';
import type { Prepared } from '../prepared.ts';
import { sourceEnd, sourceOffset } from '../prepared.ts';
import { type Token, textToken } from '../token.ts';
import { Brackets } from './bracket.ts';
import { resolveQuotes } from './quote.ts';

/** Reads the construct at `at` and returns the offset to continue from; `at + 1` leaves the character as text. */
export type Construct = (scanner: Inline, at: number, limit: number) => number;

/** A finished line. The object is reused for the next line. */
export type Line = { tokens: Token[]; effects: number; start: number; end: number; isLast: boolean };

/**
 * Constructs by the code of their first character, and a table of the codes that have one. `cuts` returns the ranges that no
 * construct reads because they are removed, in order.
 */
export type Constructs = {
  readonly byCode: readonly (Construct | undefined)[];
  readonly starts: Uint8Array;
  cuts(scanner: Inline): [number, number][];
};

/** Context of the scanner's position: which constructs are allowed there. */
export type Place = { inLink: boolean; inCaption: boolean; hasLines: boolean };

const none: Token[] = [];
const noCuts: [number, number][] = [];

export class Inline {
  readonly context: Context;
  readonly prepared: Prepared;
  readonly text: string;
  readonly brackets: Brackets;
  place: Place = { inLink: false, inCaption: false, hasLines: true };
  /** Nesting depth of files within captions of files. */
  depth = 0;
  /** End of the last failed search for a `]`: no bracketed address that begins before it is closed. */
  noBracketEndBefore = 0;
  tokens: Token[] = [];
  effects = 0;
  /** Number of runs of apostrophes on this line so far. */
  quotes = 0;
  readonly #constructs: Constructs;
  readonly #onLine: (line: Line) => void;
  readonly #cuts: [number, number][];
  textStart = 0;
  readonly #current: Line = { tokens: [], effects: 0, start: 0, end: 0, isLast: false };

  constructor(context: Context, prepared: Prepared, constructs: Constructs, onLine: (line: Line) => void) {
    this.context = context;
    this.prepared = prepared;
    this.text = prepared.text;
    this.brackets = new Brackets(prepared.text);
    this.#constructs = constructs;
    this.#onLine = onLine;
    this.#cuts = this.brackets.all.length === 0 ? noCuts : constructs.cuts(this);
  }

  run(): void {
    this.scan(0, this.text.length);
    this.#line(this.text.length, true);
  }

  scan(from: number, limit: number): void {
    const { text } = this;
    const { starts, byCode } = this.#constructs;
    let cut = this.#cuts.length === 0 ? 0 : this.#cutFrom(from);
    let at = from;
    this.textStart = from;
    while (at < limit) {
      const nextCut = this.#cuts[cut]?.[0] ?? limit;
      const stop = nextCut < limit ? nextCut : limit;
      let code = 0;
      while (at < stop) {
        code = text.charCodeAt(at);
        if (code < char.notAscii && starts[code] === 1) break;
        at++;
      }
      if (at < stop) {
        at = byCode[code]?.(this, at, limit) ?? at + 1;
        while ((this.#cuts[cut]?.[0] ?? limit) < at) cut++;
      } else if (at === nextCut && at < limit) {
        // White space before a marker is removed with it.
        this.flush(at);
        at = this.#cuts[cut]?.[1] ?? at;
        this.textStart = at;
        cut++;
      }
    }
    this.flush(limit);
  }

  /** Ends the pending text at `at`. */
  flush(at: number): void {
    if (at > this.textStart) this.tokens.push(textToken(this.textStart, at));
    this.textStart = at;
  }

  /** Starts new pending text at `at`. */
  resume(at: number): void {
    this.textStart = at;
  }

  endLine(at: number): void {
    this.#line(at, false);
    this.textStart = at + 1;
    this.#current.start = at + 1;
  }

  /** Scans a part separately, including quotes, and returns its tokens. */
  nested(from: number, to: number, place: Place): Token[] {
    const saved = {
      tokens: this.tokens,
      effects: this.effects,
      place: this.place,
      textStart: this.textStart,
    };
    this.tokens = [];
    this.place = place;
    this.scan(from, to);
    const tokens = resolveQuotes(this.tokens, this);
    this.tokens = saved.tokens;
    this.effects = saved.effects;
    this.place = saved.place;
    this.textStart = saved.textStart;
    return tokens;
  }

  source(offset: number): number {
    return sourceOffset(this.prepared, offset);
  }

  /** Returns the source offset after the character before `offset`. */
  sourceEnd(offset: number): number {
    return sourceEnd(this.prepared, offset);
  }

  #line(end: number, isLast: boolean): void {
    const line = this.#current;
    if (this.tokens.length === 0) {
      // Most lines are only text, and an array grown by `push` reserves room for 17.
      line.tokens = end > this.textStart ? [textToken(this.textStart, end)] : none;
    } else {
      this.flush(end);
      line.tokens = resolveQuotes(this.tokens, this);
      this.tokens = [];
    }
    line.effects = this.effects;
    line.end = end;
    line.isLast = isLast;
    this.#onLine(line);
    this.effects = 0;
    this.quotes = 0;
  }

  #cutFrom(position: number): number {
    let low = 0;
    let high = this.#cuts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#cuts[middle]?.[0] ?? 0) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
