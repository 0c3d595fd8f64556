/** Interface of the writer for its parts, which therefore need not import `write.ts`. */
import type { Block, Place, SourceBlock } from '@coppice/wikitext/document';

export interface Writing {
  readonly source: string;
  /** Writes inline content. Without `old`, it keeps the bytes of a block with the same origin. */
  inline(old: SourceBlock | undefined, now: Block, place: Place): string;
}
