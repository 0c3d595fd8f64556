/**
 * Converts the tree of a page to Markdown: CommonMark with GitHub's tables, footnotes and strike-through, definition lists, and
 * formulas between dollars. Pure, like `render`: equal trees and answers give equal text. Constructs that Markdown lacks are
 * written as their text, never as wikitext; subscripts, superscripts and similar marks are written as HTML.
 *
 * Templates should be expanded beforehand; in a tree that was not expanded, calls are written as they stand.
 */
import type { Resolved, Tree } from '@coppice/wikitext';
import type { RootContent } from 'mdast';
import { Flow } from './flow.ts';
import { writeMarkdown } from './write.ts';
import type { ToMarkdownOptions } from './writer.ts';

export { writeFrontMatter } from './front-matter.ts';
export type { ToMarkdownOptions } from './writer.ts';

/**
 * The result ends in a line end, unless the page is empty. Never throws; anything nested deeper than 50 levels becomes text.
 */
export function toMarkdown(tree: Tree, resolved: Resolved, options: ToMarkdownOptions = {}): string {
  const flow = new Flow(tree, resolved, options);
  const children: RootContent[] = flow.blocks(tree.children);
  children.push(...flow.notes.rest());
  return writeMarkdown({ type: 'root', children });
}
