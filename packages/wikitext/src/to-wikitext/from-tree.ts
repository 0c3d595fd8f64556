/** Parsed HTML → wikitext, without parse5: for browsers, which have a parser. */
import type { HtmlNode } from './html-tree.ts';
import type { Options } from './options.ts';
import { Writer } from './writer.ts';

export type { HtmlComment, HtmlElement, HtmlNode, HtmlText } from './html-tree.ts';
export type { Options } from './options.ts';

/** Leaves out captions and notes that Parsoid keeps as HTML in attributes, as reading them takes a parser. */
export function treeToWikitext(nodes: readonly HtmlNode[], options: Options = {}): string {
  return new Writer(nodes, options, () => []).page(nodes);
}
