/** Constructs that begin with the first character of a line and end with the line. */
import type { Composer, Prepared } from '../prepared.ts';

/** A line without its end, and where the result goes. */
export type SourceLine = { prepared: Prepared; start: number; end: number; out: Composer };

/** Writes the line with marks; undefined, with nothing written, if it is not this construct. */
export type LineConstruct = (line: SourceLine) => 'takes empty lines after it' | 'done' | undefined;
