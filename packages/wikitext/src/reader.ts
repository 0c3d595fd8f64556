/** How the inside of an extension or a call is read: what `parse.ts` provides to them. */
import type { Context } from './context.ts';
import type { Inline } from './inlines/inline.ts';
import type { Node } from './tree.ts';

/** Allowed content of a text: no blocks, blocks but no paragraphs as an item of a list, or all that a page may hold. */
export type TextKind = 'inline' | 'item' | 'page';

/** How insides are read; `parse.ts` provides it. */
export type Reader = {
  context: Context;
  text(text: string, base: number, kind: TextKind): Node[];
  range(start: number, end: number, firstElement: number): Node[];
  inline(text: string, base: number): Inline;
};

export type ExtensionPlace = { start: number; end: number; body: number };
