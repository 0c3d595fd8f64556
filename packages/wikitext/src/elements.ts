/** Elements: parts of a text that hide their inside from everything else, as `scan.ts` finds them. */
import type { Part } from './braces.ts';

export type Element = {
  kind: 'comment' | 'skip' | 'extension' | 'template' | 'argument';
  start: number;
  end: number;
  /** Index after the last descendant. */
  next: number;
  /** Extension: lower-case tag name. */
  name: string;
  /** Template, argument: what stands between the pipes. */
  parts: Part[];
  /** Extension: where attributes end, and where the body lies; -1 when self-closing. */
  attributesEnd: number;
  bodyStart: number;
  bodyEnd: number;
};

/** A source text, its elements, and where the text stands in the page's source. */
export type Fragment = { text: string; elements: readonly Element[]; base: number };

/** Index of the first of `elements`, which are in order, that starts at or after `position`. */
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

/** Orders elements by start, outer before inner, and fills in `next`. */
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
