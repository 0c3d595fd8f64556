/**
 * Emphasis within emphasis of its kind, for which Markdown has no form, is written once. The library that writes Markdown goes
 * through the words of each level again.
 */
import type { Element, ElementContent, Root } from 'hast';

const kinds = new Map([
  ['b', 'strong'],
  ['strong', 'strong'],
  ['i', 'emphasis'],
  ['em', 'emphasis'],
  ['del', 'delete'],
  ['s', 'delete'],
  ['strike', 'delete'],
]);

/** Modifies the tree. */
export function withoutRepeatedEmphasis(node: Root | Element, around: readonly string[] = []): void {
  node.children = (node.children as ElementContent[]).flatMap((child) => {
    if (child.type !== 'element') return [child];
    const kind = kinds.get(child.tagName);
    if (kind === undefined || !around.includes(kind)) {
      withoutRepeatedEmphasis(child, kind === undefined ? around : [...around, kind]);
      return [child];
    }
    withoutRepeatedEmphasis(child, around);
    return child.children;
  });
}
