/**
 * Keeps the names of places that links lead to. A heading takes the name of the section that it begins; an empty anchor
 * (`<a id="x"></a>`), and the beginning of an element that a link of the document names, become places of their own.
 */
import type { Element, ElementContent, Root } from 'hast';
import { element, isElement } from './elements.ts';

const sections = ['section', 'article', 'div'] as const;
/** Elements that may begin with a place. */
const holders = /^(?:p|li|dd|dt|td|th|div|section|span|blockquote|figure|figcaption|summary)$/;
const isHeading = /^h[1-6]$/;

/** Modifies the tree. */
export function withNamedPlaces(root: Root): void {
  const wanted = new Set<string>();
  collect(root.children as ElementContent[], wanted);
  place(root.children as ElementContent[], wanted);
}

function collect(nodes: readonly ElementContent[], wanted: Set<string>): void {
  for (const node of nodes) {
    if (node.type !== 'element') continue;
    const { href } = node.properties;
    if (node.tagName === 'a' && typeof href === 'string' && href.startsWith('#'))
      wanted.add(decoded(href.slice(1)));
    collect(node.children, wanted);
  }
}

function place(nodes: readonly ElementContent[], wanted: ReadonlySet<string>): void {
  for (const node of nodes) {
    if (node.type !== 'element') continue;
    const id = nameOf(node);
    const first = node.children.find(
      (child) => child.type === 'element' || (child.type === 'text' && child.value.trim() !== ''),
    );
    if (
      id !== undefined &&
      isElement(node, ...sections) &&
      first?.type === 'element' &&
      isHeading.test(first.tagName)
    ) {
      first.properties.id ??= id;
    } else if (id !== undefined && node.tagName === 'a' && node.properties.href === undefined) {
      node.children.unshift(element('x-place', [], { id }));
      node.tagName = 'span';
    } else if (id !== undefined && wanted.has(id) && holders.test(node.tagName)) {
      node.children.unshift(element('x-place', [], { id }));
    }
    place(node.children, wanted);
  }
}

function nameOf({ tagName, properties }: Element): string | undefined {
  const name = properties.id ?? (tagName === 'a' ? properties.name : undefined);
  return typeof name === 'string' && /^[^\s]{1,200}$/.test(name) ? name : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
