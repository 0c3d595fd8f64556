/** Elements that `scan.ts` finds: parts of a text that hide their content from all other constructs. */
import type { Part } from './braces.ts';

export type Element = {
  kind: 'comment' | 'skip' | 'extension' | 'template' | 'argument';
  start: number;
  end: number;
  /** Index of the first element after all descendants. */
  next: number;
  /** Tag name in lower case, of an extension. */
  name: string;
  /** Parts between the pipes, of a template call or argument. */
  parts: Part[];
  /** End of the attributes, of an extension. Like the offsets of the body, -1 if the tag is self-closing. */
  attributesEnd: number;
  bodyStart: number;
  bodyEnd: number;
};

/** A source text, its elements, and the offset of the text in the page's source. */
export type Fragment = { text: string; elements: readonly Element[]; base: number };

/** Part of a fragment between two offsets of its text. `first`: index of the first element that begins in it. */
export type FragmentRange = { readonly start: number; readonly end: number; readonly first: number };

/** All of a fragment. */
export function allOf({ text }: Pick<Fragment, 'text'>): FragmentRange {
  return { start: 0, end: text.length, first: 0 };
}

/** Returns the index of the first of the sorted `elements` that starts at or after `position`. */
export function firstFrom(elements: readonly { start: number }[], position: number, low = 0): number {
  let high = elements.length;
  let from = low;
  while (from < high) {
    const middle = (from + high) >> 1;
    if ((elements[middle]?.start ?? 0) < position) from = middle + 1;
    else high = middle;
  }
  return from;
}

/** Sorts elements by start, outer before inner, and sets `next`. */
export function inSourceOrder(elements: Element[]): Element[] {
  elements.sort((left, right) => left.start - right.start || right.end - left.end);
  const open: Element[] = [];
  elements.forEach((element, index) => {
    let top = open[open.length - 1];
    while (top && top.end <= element.start) {
      top.next = index;
      open.pop();
      top = open[open.length - 1];
    }
    open.push(element);
  });
  for (const element of open) element.next = elements.length;
  return elements;
}
