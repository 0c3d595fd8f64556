/** HTML → wikitext. `treeToWikitext` of `html-tree` does the same for a tree that is there already. */
import type { Options } from './options.ts';
import { readHtml } from './read-html.ts';
import { type Original, selective } from './selective.ts';
import { Writer } from './writer.ts';

export type { Options } from './options.ts';
export type { Original } from './selective.ts';

/**
 * Any text is HTML: nothing here throws. With an `original`, blocks that are as they were rendered keep the bytes of their source, and
 * HTML that is as it was rendered gives the source.
 */
export function toWikitext(html: string, options: Options & { original?: Original } = {}): string {
  const { original } = options;
  if (original?.html === html) return original.source;
  const nodes = readHtml(html);
  const writer = new Writer(nodes, options, readHtml);
  return original ? selective(original.source, readHtml(original.html), nodes, writer) : writer.page(nodes);
}
