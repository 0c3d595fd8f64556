/** The part of a language in documents: reading them, and writing them after an edit. */
import type { InlineLanguage, Leaf, Place } from './inline.ts';
import type { Block, SourceBlock, Unit } from './nodes.ts';

/** A language whose pages can be edited as documents. `read` accepts any source and never throws. */
export type DocumentLanguage = {
  read(source: string): SourceBlock;
  /** Makes an edited block state what follows from others, such as the alignment of a column. */
  complete?(block: Omit<Block, 'key'>): void;
  /** Returns the source of the edited document. Throws `NotExpressible`. */
  write(before: Before, now: Block, style: (block: Block) => Style): string;
};

/** The document before the edit, and where its parts came from. */
export type Before = {
  source: string;
  root: SourceBlock;
  /** The block of a type with the same origin. */
  find(block: Block): SourceBlock | undefined;
};

/**
 * `safe`: all markup in new text is escaped, and new marks are written as tags. It is used if the usual form reads otherwise.
 * `anew`: the marks of the block are written anew as well. It is used if the safe form reads otherwise.
 */
export type Style = 'usual' | 'safe' | 'anew';

export type { InlineLanguage, Leaf, Place, Unit };
