/**
 * Text nodes of the tree. The source of each is what its range says: where the source has more between two characters than the
 * page shows, such as a comment or the space of an indented line, one node ends and another begins.
 */
import { decodeEntities } from './entities.ts';
import { addChild, type Holder } from './open-element.ts';
import { gapsWithin, type Prepared, sourceEnd, sourceOffset } from './prepared.ts';
import type { TextNode } from './tree.ts';

export type TextPart = { readonly value: string; readonly start: number; readonly end: number };

const openReference = /&[#a-z0-9]*$/i;

/** Returns the texts between two offsets of the prepared text. A line end at their end is not part of the last range. */
export function textsOf(
  prepared: Prepared,
  start: number,
  end: number,
  endsWithNewline: boolean,
): TextPart[] {
  const { text } = prepared;
  const shown = endsWithNewline ? end - 1 : end;
  const parts: TextPart[] = [];
  let at = start;
  let from = sourceOffset(prepared, start);
  const to = shown > start ? sourceEnd(prepared, shown) : from;
  if (to - from > shown - start) {
    for (const gap of gapsWithin(prepared, start, shown)) {
      // `&am<!---->p;` is one character.
      if (openReference.test(text.slice(Math.max(at, gap - 40), gap))) continue;
      parts.push({ value: decodeEntities(text.slice(at, gap)), start: from, end: sourceEnd(prepared, gap) });
      at = gap;
      from = sourceOffset(prepared, at);
    }
  }
  parts.push({ value: decodeEntities(text.slice(at, end)), start: from, end: to });
  return parts;
}

/** Adds text to elements, and joins texts that follow each other in the source. */
export class Texts {
  #last: TextNode | undefined;
  /** Offset up to which more text belongs to the last one. */
  #reach = 0;

  /** `isWhole`: the text of a `<nowiki>`, which stays a node of its own because its range includes the tags. */
  append(parent: Holder, { value, start, end }: TextPart, isWhole: boolean): void {
    let node = this.#last;
    const isLast = node !== undefined && node === parent.children[parent.children.length - 1];
    if (!isWhole && node && isLast && start <= this.#reach) {
      node.value += value;
      if (end > node.end) node.end = end;
    } else {
      node = { type: 'text', value, start, end };
      addChild(parent, node);
    }
    this.#last = node;
    this.#reach = isWhole ? -1 : node.end + (value.endsWith('\n') ? 1 : 0);
  }
}
