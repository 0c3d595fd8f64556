/** Interface by which `parse.ts` parses the content of extensions and calls. */
import type { Context } from './context.ts';
import type { Inline } from './inlines/inline.ts';
import type { Node } from './tree.ts';

/**
 * Allowed content of a text: no blocks; blocks but no paragraphs, as in an item of a list; all that a page may hold, with what stands
 * beside blocks left bare as in a `<div>`, or in paragraphs.
 */
export type TextKind = 'inline' | 'item' | 'block' | 'page';

/** Parses content; implemented by `parse.ts`. */
export type Reader = {
  context: Context;
  text(text: string, base: number, kind: TextKind): Node[];
  range(start: number, end: number, firstElement: number): Node[];
  inline(text: string, base: number): Inline;
};

export type ExtensionPlace = { start: number; end: number; body: number };
