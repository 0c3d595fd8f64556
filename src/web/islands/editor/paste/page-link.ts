/** Links in wikitext: pages of this wiki by their paths, everything else by its address. */
import { isReserved, readPath } from '#domain/pages/path.ts';

/** `href`: an address, or for what this site has a path with query and section. `label`: wikitext. */
export function wikitextLink(href: string, label: string): string {
  const words = label.replace(/\]/g, '&#93;');
  const page = pageOf(href);
  if (page !== undefined) return `[[${page}|${words}]]`;
  return href.startsWith('/') ? label : `[${href.replace(/[\s[\]<>"{}|']/g, encoded)} ${words}]`;
}

export function markdownLink(href: string, label: string): string {
  return `[${label}](${href.replace(/[\s<>()]/g, encoded)})`;
}

/** Without the address of this wiki, where it begins so. */
export function withoutOrigin(href: string, origin: string): string {
  return href.toLowerCase().startsWith(`${origin.toLowerCase()}/`) ? href.slice(origin.length) : href;
}

/** Path of a page of this wiki with its section. Undefined for anything else. */
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
