/**
 * Lists as browsers and word processors write them: a list directly within a list belongs to the item before it, and other
 * content between items is an item of its own. HTML allows neither, so Markdown has no form for them.
 */
import type { Element, ElementContent, Root } from 'hast';
import { element, isElement, textOf } from './elements.ts';

/** Modifies the tree. */
export function withItemsInLists(node: Root | Element): void {
  if (isElement(node as Element, 'ul', 'ol', 'menu')) {
    const list = node as Element;
    const items: Element[] = [];
    let loose: ElementContent[] = [];
    const endLoose = () => {
      if (loose.some((one) => textOf(one).trim() !== '' || one.type === 'element'))
        items.push(element('li', loose));
      loose = [];
    };
    for (const child of list.children) {
      if (isElement(child, 'li')) {
        endLoose();
        items.push(child);
      } else if (isElement(child, 'ul', 'ol', 'menu') && (items.length > 0 || loose.length > 0)) {
        endLoose();
        items.at(-1)?.children.push(child);
      } else if (child.type !== 'comment') loose.push(child);
    }
    endLoose();
    list.children = items;
  }
  for (const child of node.children) if (child.type === 'element') withItemsInLists(child);
}
