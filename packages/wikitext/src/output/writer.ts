/** State shared by all parts of one rendering. */

import type { Tree } from '../parsed-page.ts';
import type { Node, Resolved, Section } from '../tree.ts';
import type { Citations } from './cite.ts';

export type Writer = {
  readonly tree: Tree;
  readonly resolved: Resolved;
  readonly citations: Citations;
  readonly notices: Set<string>;
  /** Sections of the page, for the table of contents. */
  readonly outline: readonly Section[];
  /** Returns the HTML of nodes. */
  html(nodes: readonly Node[]): string;
};
