/**
 * The tree of a page → Markdown: CommonMark with GitHub's tables, footnotes and strike-through, definition lists, and formulas
 * between dollars. Pure, like `render`: the same tree and the same answers give the same text. Anything that Markdown lacks stays as
 * its text, never as source of the other language; sub- and superscripts and their like are HTML.
 *
 * Templates are expected to be in place: of a tree that was not expanded, calls stay as they are written.
 */
import type { Resolved, Tree } from '@coppice/wikitext';
import type { RootContent } from 'mdast';
import { Flow } from './flow.ts';
import { writeMarkdown } from './write.ts';
import type { ToMarkdownOptions } from './writer.ts';

export { writeFrontMatter } from './front-matter.ts';
export type { ToMarkdownOptions } from './writer.ts';

/** Ends in a line end, unless the page is empty. Never throws; what is nested deeper than 50 levels becomes text. */
export function toMarkdown(tree: Tree, resolved: Resolved, options: ToMarkdownOptions = {}): string {
  const flow = new Flow(tree, resolved, options);
  const children: RootContent[] = flow.blocks(tree.children);
  children.push(...flow.notes.rest());
  return writeMarkdown({ type: 'root', children });
}
