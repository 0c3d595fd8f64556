/** Calls of functions, and what these ask of the expander that runs them. */
import type { Argument, Frame } from '../argument.ts';
import type { ExpandContext, PathOfPage, Rules } from '../options.ts';
import type { ListingName } from '../tree.ts';

export type CallExpander = {
  readonly context: ExpandContext;
  readonly rules: Rules;
  readonly path: PathOfPage;
  displayTitle: string | undefined;
  /** Notes that the text grew; false once it may grow no more. */
  grow(length: number): boolean;
  /** The name of what this wiki lacks, such as `#invoke`; undefined where it can be no function's name. */
  missing(name: string): string | undefined;
  /** Address of a file, null where there is none; asked of the host when it is not known yet. */
  file(name: string): string | null;
  /** Whether there is a page of that title or path, or a file of that name; false as long as it is not known. */
  pageExists(title: string): boolean;
  /** The body of a page, or what `select` takes of it, with its arguments in place. */
  include(
    name: string,
    given: readonly Argument[],
    frame: Frame,
    select?: (source: string) => string,
  ): string;
  /** Counts a call that takes long; false once there were too many. */
  spend(): boolean;
  /** Has the host asked for a listing; its key. */
  ask(name: ListingName, values: Readonly<Record<string, string>>): string;
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
