/** What the parts of one rendering share. */

import type { Node, Resolved, Tree } from '../tree.ts';
import type { Citations } from './cite.ts';

export type Writer = {
  readonly tree: Tree;
  readonly resolved: Resolved;
  readonly citations: Citations;
  readonly notices: Set<string>;
  /** HTML of nodes. */
  html(nodes: readonly Node[]): string;
};
