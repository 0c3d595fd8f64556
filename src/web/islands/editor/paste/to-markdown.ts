/** Serializes a tidied tree as Markdown: CommonMark with GitHub's tables and strike-through. */
import { writingOptions } from '@coppice/markdown/writing';
import type { Element, ElementContent, Root, RootContent } from 'hast';
import { toMdast } from 'hast-util-to-mdast';
import type { Html, Root as MarkdownRoot, PhrasingContent } from 'mdast';
import { toMarkdown as stringify } from 'mdast-util-to-markdown';
import { isTag } from './elements.ts';

export function toMarkdown(root: Root): string {
  for (const node of root.children) withHeaderRow(node);
  const tree = toMdast(root, {
    handlers: {
      // Elements without Markdown marks are written as HTML.
      sub: (state, node: Element) => tagged('sub', state.all(node) as PhrasingContent[]),
      sup: (state, node: Element) => tagged('sup', state.all(node) as PhrasingContent[]),
    },
  }) as MarkdownRoot;
  return stringify(tree, { ...writingOptions, resourceLink: true }).trimEnd();
}

/** Tables need a header row; without one the first row is used. */
function withHeaderRow(node: RootContent | ElementContent): void {
  if (node.type !== 'element') return;
  const row = node.children.find((child) => isTag(child, 'tr'));
  if (isTag(row, 'tr'))
    for (const cell of row.children) if (isTag(cell, 'td')) (cell as Element).tagName = 'th';
  for (const child of node.children) withHeaderRow(child);
}

function tagged(name: string, inside: PhrasingContent[]): PhrasingContent[] {
  const html = (value: string): Html => ({ type: 'html', value });
  return [html(`<${name}>`), ...inside, html(`</${name}>`)];
}
