/** Calls of functions, and what these ask of the expander that runs them. */
import type { Argument, Frame } from '../argument.ts';
import type { Budget } from '../budget.ts';
import type { HostData } from '../host-data.ts';
import type { ExpandContext, PathOfPage, Rules } from '../options.ts';

export type CallExpander = {
  readonly context: ExpandContext;
  readonly rules: Rules;
  readonly path: PathOfPage;
  displayTitle: string | undefined;
  readonly data: HostData;
  readonly budget: Budget;
  /** Mark for a function that this wiki lacks, such as `#property`; undefined for names that no function has. */
  missing(name: string): string | undefined;
  /** The body of a page, or what `select` takes of it, with its arguments in place. */
  include(
    name: string,
    given: readonly Argument[],
    frame: Frame,
    select?: (source: string) => string,
  ): string;
  /** Whether a tag of that name, in lower case, is one of the language that a page may write. */
  isExtension(name: string): boolean;
  /** The text of expanded wikitext, on one line. */
  inlineText(source: string): string;
};

/** A call of a function: arguments by position, trimmed, expanded when asked for. */
export type Call = {
  expander: CallExpander;
  frame: Frame;
  arguments: readonly Argument[];
  /** The argument at a position without white space around it; empty when there is none. */
  text(position: number): string;
};

export type Functions = Readonly<Record<string, (call: Call) => string | undefined>>;
