/** A page that has been parsed: its tree and what was noticed on the way. */
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
  /** Sentences for the writer about everything that was cut short or refused. */
  notices: string[];
  /** Something in it is named relative to the path: parsed for another path, it would refer to something else. */
  followsPath: boolean;
  /** The dialect it was parsed by; rendering nested text follows it. */
  rules: Rules;
  /** Spaces stay as they are; otherwise French punctuation gets fixed ones, as in MediaWiki. */
  keepsSpaces?: boolean;
  /** How the page describes itself, where its language has a place for that. */
  description?: string | undefined;
};
