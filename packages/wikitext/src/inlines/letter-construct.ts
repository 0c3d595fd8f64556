/** Constructs that begin with a letter, which only dialects have: they see less of the scanner than those of the language. */
import type { Token } from '../token.ts';

export type LetterScanner = {
  readonly text: string;
  readonly place: { inLink: boolean };
  readonly tokens: Token[];
  /** Makes text of what was read so far. */
  flush(at: number): void;
  /** Goes on behind what the construct has read. */
  resume(at: number): void;
  /** Offset in the page's source. */
  source(at: number): number;
  sourceEnd(at: number): number;
};

/** Reads what begins at `at` and answers where to go on; `at + 1` leaves the character as text. */
export type LetterConstruct = (scanner: LetterScanner, at: number, limit: number) => number;
