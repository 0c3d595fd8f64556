/** Links to pages and to elsewhere. */

import { anchor } from '../headings.ts';
import { escapeHtml, newPageHref, pathHref, safeUrl, writeAttributes } from '../html.ts';
import type { ExternalLinkNode, LinkNode } from '../tree.ts';
import type { Writer } from './writer.ts';

export function linkHtml(writer: Writer, node: LinkNode): string {
  return `<a${writeAttributes(linkAttributes(writer, node))}>${writer.html(node.children)}</a>`;
}

/** Where a link to a page leads, and how it looks. */
export function linkAttributes(
  { resolved }: Writer,
  node: LinkNode,
): { class?: string; href?: string; title?: string } {
  const own = resolved.address?.page?.(node);
  if (own) return own;
  const fragment = node.fragment ? `#${anchor(node.fragment)}` : '';
  if (node.target === '') return { href: fragment || '#' };
  const page = resolved.pages.get(node.target);
  if (!page) return { class: 'new', href: newPageHref(node.target, node.isPath) };
  return { href: pathHref(page.path) + fragment };
}

export function externalLinkHtml(writer: Writer, node: ExternalLinkNode): string {
  const label = node.kind === 'numbered' ? `[${node.number}]` : writer.html(node.children);
  const href = safeUrl(node.url);
  if (href === undefined) return label;
  return `<a rel="nofollow noopener" class="external ${node.kind}" href="${escapeHtml(href)}">${label}</a>`;
}
