/** Links to pages and external links. */

import { anchor } from '../headings.ts';
import { escapeHtml, hostUrl, newPageHref, pathHref, safeUrl, writeAttributes } from '../html.ts';
import type { ExternalLinkNode, LinkNode } from '../tree.ts';
import type { Writer } from './writer.ts';

/** Returns the start tag of a link to a page. */
export function linkTag(writer: Writer, node: LinkNode): string {
  return `<a${writeAttributes(linkAttributes(writer, node))}>`;
}

/** Returns the address and class of a link to a page. */
export function linkAttributes(
  { resolved }: Writer,
  node: LinkNode,
): { class?: string; href?: string; title?: string } {
  const own = resolved.address?.page?.(node);
  if (own) return own;
  const title = node.title === undefined ? {} : { title: node.title };
  const fragment = node.fragment ? `#${fragmentOf(node.fragment)}` : '';
  if (node.target === '') return { href: fragment || '#', ...title };
  const page = resolved.pages.get(node.target);
  const file = page || node.file === undefined ? undefined : resolved.files.get(node.file);
  if (file) return { class: 'media', href: hostUrl(file.url), ...title };
  if (!page) return { class: 'new', href: newPageHref(node.target, node.isPath), ...title };
  return { href: pathHref(page.path) + fragment, ...title };
}

/** Like `anchor`, but keeps a leading underscore, since IDs in the page's own HTML may begin with one. */
function fragmentOf(written: string): string {
  return written.startsWith('_') ? `_${anchor(written)}` : anchor(written);
}

/** Returns the start tag of an external link; undefined if the address is not allowed. */
export function externalLinkTag(node: ExternalLinkNode): string | undefined {
  const href = safeUrl(node.url);
  if (href === undefined) return undefined;
  const title = writeAttributes({ title: node.title });
  // A path is a link within the wiki.
  if (/^\/(?!\/)/.test(href)) return `<a href="${escapeHtml(href)}"${title}>`;
  const target = node.opensWindow ? ' target="_blank"' : '';
  return `<a rel="nofollow noopener"${target} class="external ${node.kind === 'interwiki' ? 'extiw' : node.kind}" href="${escapeHtml(href)}"${title}>`;
}
