/** Converts HTML to wikitext. For HTML that is parsed already, use `treeToWikitext` of `html-tree`. */
import type { Options } from './options.ts';
import { readHtml } from './read-html.ts';
import { type Original, selective } from './selective.ts';
import { Writer } from './writer.ts';

export type { Options } from './options.ts';
export { readDocument } from './read-html.ts';
export type { Original } from './selective.ts';

/**
 * Never throws: any text is valid HTML. With an `original`, unedited blocks keep the bytes of their source, and entirely
 * unedited HTML returns the source.
 */
export function toWikitext(html: string, options: Options & { original?: Original } = {}): string {
  const { original } = options;
  if (original?.html === html) return original.source;
  const nodes = readHtml(html);
  const writer = new Writer(nodes, options, readHtml);
  if (!original) return writer.page(nodes);
  return selective(original.source, readHtml(original.html), nodes, writer);
}
