/** Interface of the reader for its parts, which therefore need not import `read.ts`. */
import type { Node } from '../../tree.ts';
import type { Attributes, Range, SourceBlock, Unit } from '../nodes.ts';

export interface Reading {
  readonly text: string;
  block(
    type: string,
    attrs: Attributes,
    origin: Range,
    more?: { content?: Range; units?: Unit[]; text?: string; children?: SourceBlock[] },
  ): SourceBlock;
  /** Blocks within a range. Inline content that stands among them is a paragraph. */
  blocks(nodes: readonly Node[], content: Range): SourceBlock[];
  units(nodes: readonly Node[], content: Range): Unit[];
}
