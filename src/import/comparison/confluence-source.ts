/**
 * Reads from its storage format how Confluence shows a page: all text but parameters of macros and what is there for programs.
 * Macros show more than that, which counts for nothing.
 */
import type { Element, ElementContent, Root } from 'hast';
import { type Shown, shownIn } from './shown.ts';

const unseen =
  /^ac:(?:parameter|placeholder|adf-fallback|adf-attribute|task-id|task-uuid|task-status|plain-text-body)$/;
const asHtml: Readonly<Record<string, string>> = {
  'ac:image': 'img',
  'ac:task': 'li',
  'ac:task-list': 'ul',
  'ac:link': 'span',
  'ac:link-body': 'span',
  'ac:plain-text-link-body': 'span',
  'ac:emoticon': 'span',
  'ac:inline-comment-marker': 'span',
};
const showsCode = /^(?:code|noformat|preformatted)$/;

export function shownInStorageFormat(root: Root): Shown {
  return shownIn({ type: 'root', children: inHtml(root.children as ElementContent[], '') });
}

/** `macro`: name of the macro around the nodes. */
function inHtml(nodes: readonly ElementContent[], macro: string): ElementContent[] {
  return nodes.flatMap((node): ElementContent[] => {
    if (node.type !== 'element') return [node];
    const { tagName, properties, children } = node;
    if (tagName === 'ac:plain-text-body' && showsCode.test(macro))
      return [{ ...node, tagName: 'pre', properties: {} }];
    if (unseen.test(tagName) || tagName === 'time') return [];
    const name =
      tagName === 'ac:structured-macro' || tagName === 'ac:macro' ? String(properties['ac:name']) : macro;
    const here = asHtml[tagName] ?? (/^(?:ac|ri):/.test(tagName) ? 'div' : tagName);
    const shown: Element = {
      type: 'element',
      tagName: here,
      properties: {},
      children: inHtml(children as ElementContent[], name),
    };
    return [shown];
  });
}
