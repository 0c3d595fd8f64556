/** State that the parts of one rendering share. */

import type { Tree } from '../parsed-page.ts';
import type { Node, Resolved, Section } from '../tree.ts';
import type { Citations } from './cite.ts';

export type Writer = {
  readonly tree: Tree;
  readonly resolved: Resolved;
  readonly citations: Citations;
  readonly notices: Set<string>;
  /** Sections of the page, for its table of contents. */
  readonly outline: readonly Section[];
  /** HTML of nodes. */
  html(nodes: readonly Node[]): string;
};
