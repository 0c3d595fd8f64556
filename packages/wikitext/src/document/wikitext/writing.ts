/** Interface of the writer for its parts, which therefore need not import `write.ts`. */
import type { Place } from '../inline.ts';
import type { Block, Range, SourceBlock } from '../nodes.ts';
import type { Sequence } from '../sequence.ts';

export interface Writing {
  readonly source: string;
  /** Writes inline content. Without `old`, it keeps the bytes of a block with the same origin. */
  inline(old: SourceBlock | undefined, now: Block, place: Place): string;
  /** Writes blocks in place of others. */
  blocks(
    container: { content: Range; children: readonly SourceBlock[] },
    now: readonly Block[],
    more?: Partial<Sequence>,
  ): string;
  /** The block of the source that a block was. */
  find(now: Block): SourceBlock | undefined;
  change(old: SourceBlock, now: Block): string;
  write(now: Block): string;
}
