/** Interface by which `parse.ts` parses the content of extensions and calls. */
import type { Context } from './context.ts';
import type { Inline } from './inlines/inline.ts';
import type { Node } from './tree.ts';

/**
 * Content allowed in a text: inline only; blocks without paragraphs, as in a list item; everything that a page may hold, with
 * text beside blocks left bare as in a `<div>`; or the same with that text in paragraphs.
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
