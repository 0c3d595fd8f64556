/**
 * Listings of the wiki's own data: `{{Children}}`, `{{Tagged|key=value}}`, `{{Wanted}}`, `{{Recent}}`, `{{Map}}`,
 * `{{Gallery}}`. The host supplies rows that the reader may see; this file renders them. The map is a list that a script may
 * draw.
 */
import type { Argument } from '../argument.ts';
import type { HostData } from '../host-data.ts';
import { escapeHtml, escapeText, hostUrl, newPageHref, pathHref, writeAttributes } from '../html.ts';
import { limits } from '../limits.ts';
import type { ListingName, ListingRow, ListingRows } from '../tree.ts';
import type { Extension } from './extension.ts';

/** Node that `expand` puts in place of the call. */
export const listing: Extension = {
  name: 'listing',
  isBlock: true,
  isText: false,
  isReserved: true,
  render: ({ resolved }, { attributes }) =>
    listingHtml(attributes.name ?? '', resolved.listings?.get(attributes.key ?? '')),
};

/** Returns the tag that replaces a call with these arguments. */
export function listingTag(data: HostData, name: ListingName, given: readonly Argument[]): string {
  const values: Record<string, string> = Object.create(null);
  let position = 0;
  for (const argument of given) {
    const key = argument.name()?.trim().toLowerCase();
    values[key ?? String(++position)] = argument.value().trim();
  }
  return `<listing name="${name}" key="${escapeHtml(data.listing(name, values))}"/>`;
}

function listingHtml(name: string, answer: ListingRows | undefined): string {
  const kind = name.toLowerCase();
  if (!answer || answer.rows.length === 0) return `<p class="listing-empty">Nothing here yet.</p>`;
  const rows = answer.rows.slice(0, limits.listingRows);
  const items = rows.map((row) => `<li${mapAttributes(kind, row)}>${rowHtml(kind, row)}</li>`).join('\n');
  const more = (answer.more ?? 0) + answer.rows.length - rows.length;
  const rest = more > 0 ? `\n<p class="listing-more">and ${more} more</p>` : '';
  return `<ul class="listing listing-${escapeHtml(kind)}">\n${items}\n</ul>${rest}`;
}

function mapAttributes(kind: string, row: ListingRow): string {
  return kind === 'map' && row.lat !== undefined && row.lon !== undefined
    ? writeAttributes({ 'data-lat': row.lat, 'data-lon': row.lon })
    : '';
}

function rowHtml(kind: string, row: ListingRow): string {
  const title = escapeText(row.title);
  if (kind === 'wanted') {
    const href = newPageHref(row.path ?? row.title, row.path !== undefined);
    const count = row.count === undefined ? '' : ` <span class="listing-count">(${row.count})</span>`;
    return `<a class="new" href="${escapeHtml(href)}">${title}</a>${count}`;
  }
  const href = kind === 'gallery' && row.url ? hostUrl(row.url) : pathHref(row.path ?? '/');
  const picture = row.thumbnail
    ? `<img${writeAttributes({ src: hostUrl(row.thumbnail), alt: '', loading: 'lazy', decoding: 'async' })}>`
    : '';
  const label = kind === 'gallery' ? `${picture}<span class="listing-title">${title}</span>` : title;
  const parts = [`<a href="${escapeHtml(href)}">${label}</a>`];
  if (row.time !== undefined && Number.isFinite(row.time) && Math.abs(row.time) < 8.64e15) {
    const iso = new Date(row.time).toISOString();
    parts.push(`<time datetime="${iso}">${iso.slice(0, 10)}</time>`);
  }
  if (row.author) parts.push(`<span class="listing-author">${escapeText(row.author)}</span>`);
  if (row.lat !== undefined && row.lon !== undefined)
    parts.push(`<span class="geo">${row.lat}; ${row.lon}</span>`);
  if (row.description) parts.push(`<span class="listing-description">${escapeText(row.description)}</span>`);
  return parts.join(' ');
}
