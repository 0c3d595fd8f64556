/**
 * Constructs that begin with a letter, which only dialects have. They get a smaller interface to the scanner than built-in
 * constructs.
 */
import type { Token } from '../token.ts';

export type LetterScanner = {
  readonly text: string;
  readonly place: { inLink: boolean };
  readonly tokens: Token[];
  /** Ends the pending text at `at`. */
  flush(at: number): void;
  /** Starts new pending text after the construct. */
  resume(at: number): void;
  /** Returns the offset in the page's source. */
  source(at: number): number;
  sourceEnd(at: number): number;
};

/** Reads the construct at `at` and returns the offset to continue from; `at + 1` leaves the character as text. */
export type LetterConstruct = (scanner: LetterScanner, at: number, limit: number) => number;
