/** Function calls, and the interface of the expander that runs them. */
import type { Argument, Frame } from '../argument.ts';
import type { Budget } from '../budget.ts';
import type { HostData } from '../host-data.ts';
import type { ExpandContext, PathOfPage, Rules } from '../options.ts';

/**
 * A page (`Page#Heading`: a section) that a call includes. `select` returns the part of its source that is included, by default
 * all. `title`: as functions of the page see it, by default that of the page.
 */
export type IncludedPage = {
  name: string;
  select?: ((source: string) => string) | undefined;
  title?: string | undefined;
};

export type CallExpander = {
  readonly context: ExpandContext;
  readonly rules: Rules;
  readonly path: PathOfPage;
  displayTitle: string | undefined;
  readonly data: HostData;
  readonly budget: Budget;
  /**
   * Returns a placeholder for a function that this wiki lacks, such as `#property`; undefined for names that are not functions.
   */
  missing(name: string): string | undefined;
  /** Returns the body of a page, or the part of it that is included, with arguments replaced. */
  include(page: IncludedPage, given: readonly Argument[], frame: Frame): string;
  /** Whether a tag of that name, in lower case, is an extension tag that pages may use. */
  isExtension(name: string): boolean;
  /** Returns the text of expanded wikitext on one line. */
  inlineText(source: string): string;
};

/** A function call. Arguments are positional and trimmed, and expanded on first use. */
export type Call = {
  expander: CallExpander;
  frame: Frame;
  arguments: readonly Argument[];
  /** Returns the argument at a position without surrounding white space; empty if there is none. */
  text(position: number): string;
};

export type Functions = Readonly<Record<string, (call: Call) => string | undefined>>;
