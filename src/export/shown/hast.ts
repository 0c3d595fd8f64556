/** HTML of pages as a tree that formats change: links, pictures, and what a format does not know. */
import type { Element, ElementContent, Root } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { toHtml } from 'hast-util-to-html';

export function readHtml(markup: string): Root {
  return fromHtml(markup, { fragment: true });
}

export function writeHtml(tree: Root): string {
  return toHtml(tree, { allowDangerousHtml: false, upperDoctype: false });
}

/** Every element, those within it after itself but for `closed` ones; what `change` returns stands in its place. Depth costs no stack. */
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

/** Every element, in the order of the document. Depth costs no stack. */
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

/** A link that would lead nowhere, as a plain element without attributes of links. */
export function unlinked(element: Element): Element {
  const { href: _, rel: __, ...properties } = element.properties;
  return { ...element, tagName: 'span', properties };
}
