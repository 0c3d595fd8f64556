/** Serializes a tidied tree as Markdown, as imports do. */
import { markdownFromHtml } from '@coppice/markdown/from-html';
import type { Element, ElementContent, Root, RootContent } from 'hast';
import { isTag } from './elements.ts';

export function toMarkdown(root: Root): string {
  for (const node of root.children) withHeaderRow(node);
  return markdownFromHtml(root).markdown;
}

/** Tables need a header row; without one the first row is used. */
function withHeaderRow(node: RootContent | ElementContent): void {
  if (node.type !== 'element') return;
  const row = node.children.find((child) => isTag(child, 'tr'));
  if (isTag(row, 'tr'))
    for (const cell of row.children) if (isTag(cell, 'td')) (cell as Element).tagName = 'th';
  for (const child of node.children) withHeaderRow(child);
}
