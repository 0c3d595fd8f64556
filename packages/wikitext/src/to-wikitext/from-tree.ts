/** HTML that somebody else has parsed → wikitext, without a parser of its own: for browsers, which have one. */
import type { HtmlNode } from './html-tree.ts';
import type { Options } from './options.ts';
import { Writer } from './writer.ts';

export type { HtmlComment, HtmlElement, HtmlNode, HtmlText } from './html-tree.ts';
export type { Options } from './options.ts';

/** Captions that Parsoid keeps in attributes are left out: they are HTML again. */
export function treeToWikitext(nodes: readonly HtmlNode[], options: Options = {}): string {
  return new Writer(nodes, options, () => []).page(nodes);
}
