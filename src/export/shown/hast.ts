/** Helpers for HTML trees that export formats change: links, pictures, and elements that a format does not support. */
import type { Element, ElementContent, Root } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { toHtml } from 'hast-util-to-html';

export function readHtml(markup: string): Root {
  return fromHtml(markup, { fragment: true });
}

export function writeHtml(tree: Root): string {
  return toHtml(tree, { allowDangerousHtml: false, upperDoctype: false });
}

/**
 * Calls `change` for every element and replaces the element by the result. Children come after their parent, except within
 * `closed` elements. Works without recursion, so deep trees do not overflow the stack.
 */
export function changeElements(
  tree: Root,
  change: (element: Element) => ElementContent | ElementContent[],
  closed?: string,
): void {
  const waiting: (Root | Element)[] = [tree];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const children = node.children as ElementContent[];
    const changed: ElementContent[] = [];
    for (const child of children) {
      const after = child.type === 'element' ? change(child) : child;
      for (const one of Array.isArray(after) ? after : [after]) {
        changed.push(one);
        if (one.type === 'element' && one.tagName !== closed) waiting.push(one);
      }
    }
    node.children = changed;
  }
}

/** Yields every element in document order. Works without recursion, so deep trees do not overflow the stack. */
export function* elementsIn(tree: Root): Generator<Element> {
  const waiting: (Root | Element)[] = [tree];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === 'element') yield node;
    waiting.push(...(node.children as ElementContent[]).filter(isElement).toReversed());
  }
}

function isElement(node: ElementContent): node is Element {
  return node.type === 'element';
}

export function textOf(tree: Root | Element): string {
  const parts: string[] = [];
  const waiting: (Root | ElementContent)[] = [tree];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === 'text') parts.push(node.value);
    else if ('children' in node) waiting.push(...(node.children as ElementContent[]).toReversed());
    if (node.type === 'element' && /^(?:p|div|li|h\d|td|th|dt|dd|br|pre|tr)$/.test(node.tagName))
      parts.push(' ');
  }
  return parts.join('');
}

/** Turns a link without a target into a plain element without link attributes. */
export function unlinked(element: Element): Element {
  const { href: _, rel: __, ...properties } = element.properties;
  return { ...element, tagName: 'span', properties };
}
