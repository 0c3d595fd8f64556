/** Converts parsed HTML to wikitext without parse5, for browsers, which have a parser. */
import type { HtmlNode } from './html-tree.ts';
import type { Options } from './options.ts';
import { Writer } from './writer.ts';

export type { HtmlComment, HtmlElement, HtmlNode, HtmlText } from './html-tree.ts';
export type { Options } from './options.ts';

/** Leaves out captions and notes that Parsoid keeps as HTML in attributes, because reading them needs a parser. */
export function treeToWikitext(nodes: readonly HtmlNode[], options: Options = {}): string {
  return new Writer(nodes, options, () => []).page(nodes);
}
