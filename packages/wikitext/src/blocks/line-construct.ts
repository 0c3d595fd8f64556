/** Constructs that begin with the first character of a line and end with the line. */
import type { Composer, Prepared } from '../prepared.ts';

/** A line without its line end, and the output to write to. */
export type SourceLine = { prepared: Prepared; start: number; end: number; out: Composer };

/** Writes the line with marks. Returns undefined, with nothing written, if the line is another construct. */
export type LineConstruct = (line: SourceLine) => 'takes empty lines after it' | 'done' | undefined;
