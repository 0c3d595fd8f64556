/** Wikitext links: pages of this wiki by path, others by URL. */
import { isReserved, readPath } from '#core/model/path.ts';

/** `href`: a URL, or a path of this site with query and fragment. `label`: wikitext. */
export function wikitextLink(href: string, label: string): string {
  const words = label.replace(/\]/g, '&#93;');
  const page = pageOf(href);
  if (page !== undefined) return `[[${page}|${words}]]`;
  return href.startsWith('/') ? label : `[${href.replace(/[\s[\]<>"{}|']/g, encoded)} ${words}]`;
}

export function markdownLink(href: string, label: string): string {
  return `[${label}](${href.replace(/[\s<>()]/g, encoded)})`;
}

/** Removes this wiki's origin from the beginning. */
export function withoutOrigin(href: string, origin: string): string {
  return href.toLowerCase().startsWith(`${origin.toLowerCase()}/`) ? href.slice(origin.length) : href;
}

/** Path of a page of this wiki with its section; undefined for other URLs. */
export function pageOf(href: string): string | undefined {
  if (!href.startsWith('/')) return undefined;
  const [before = '', hash] = href.split('#');
  if (before.includes('?')) return undefined;
  try {
    const read = readPath(decodeURIComponent(before));
    if ('problem' in read || isReserved(read.path) || /[[\]{}|<>]/.test(read.path)) return undefined;
    const section = hash ? decodeURIComponent(hash) : '';
    return section === '' || /[[\]{}|<>]/.test(section) ? read.path : `${read.path}#${section}`;
  } catch {
    return undefined;
  }
}

function encoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
