/** A parsed page: its tree and what was noticed during parsing. */
import type { Rules } from './options.ts';
import type { HeadingNode, LinkReference, Node } from './tree.ts';

export type Tree = {
  source: string;
  path: string | undefined;
  children: Node[];
  /** Headings in document order. */
  headings: HeadingNode[];
  /** `__TOC__`, `__NOTOC__`, … in lower case, without underscores. */
  switches: string[];
  redirect: LinkReference | undefined;
  /** Sentences for the author about everything that was cut off or refused. */
  notices: string[];
  /**
   * Sentence about the limit on parts, links or notes that the page exceeds, so that hosts can refuse to save it. The rest is
   * shown without its markup.
   */
  excess?: string | undefined;
  /** Whether the page names something relative to its path, so that parsing it for another path would give other references. */
  followsPath: boolean;
  /** The dialect that the page was parsed with, which also parses nested text during rendering. */
  rules: Rules;
  /** Whether spaces stay as written; otherwise French punctuation gets no-break spaces, as in MediaWiki. */
  keepsSpaces?: boolean;
  /** The page's own description, in languages that have a place for one. */
  description?: string | undefined;
};
