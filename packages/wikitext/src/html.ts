/**
 * The only place that escapes markup and decides which addresses are safe.
 */
import type { Attributes } from './tree.ts';

/** Escapes text for use between tags and inside quoted attributes. */
export function escapeHtml(text: string): string {
  return /[&<>"'\0]/.test(text)
    ? replaceSpecial(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;')
    : text;
}

/** Escapes text for use between tags. */
export function escapeText(text: string): string {
  return /[&<>\0]/.test(text) ? replaceSpecial(text) : text;
}

/** Replaces one kind of character after the other: each search is much faster than examining every character here. */
function replaceSpecial(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\0', '\uFFFD');
}

/**
 * Writes ` name="value"` for each attribute; undefined values are left out. Names come from the engine or its allow-list, never
 * from a page.
 */
export function writeAttributes(
  attributes: Readonly<Record<string, string | number | undefined>> | Attributes,
): string {
  let out = '';
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== undefined) out += ` ${name}="${escapeHtml(String(value))}"`;
  }
  return out;
}

/** Harmless schemes: those followed by `://`, and those followed by `:` alone. */
export const schemesWithSlashes =
  'ftp ftps git gopher http https irc ircs mms nntp redis sftp ssh svn telnet worldwind'.split(' ');
export const schemesWithout = 'bitcoin geo magnet mailto matrix news sip sips sms tel urn xmpp'.split(' ');

const allowedUrl = new RegExp(
  `^(?:/(?!\\\\)|(?:${schemesWithSlashes.join('|')})://|(?:${schemesWithout.join('|')}):)`,
  'i',
);

/** Returns the address, or undefined if following it could do more than open a page. */
export function safeUrl(url: string): string | undefined {
  return allowedUrl.test(url) ? url : undefined;
}

/** Checks an address from the host: only addresses of this wiki or of the web are allowed. */
export function hostUrl(url: string): string {
  return /^(?:https?:\/\/|\/(?!\/)|\.{0,2}\/(?!\/)|#|\?|data:image\/(?:png|jpeg|gif|webp|avif);base64,)/i.test(
    url,
  )
    ? url
    : '#';
}

/** Returns the address of a page path, each segment percent-encoded. */
export function pathHref(path: string): string {
  return path.split('/').map(encodeSegment).join('/') || '/';
}

/** Returns the address at which a missing page is created. */
export function newPageHref(target: string, isPath: boolean): string {
  return `/new?${isPath ? 'path' : 'title'}=${encodeSegment(target)}`;
}

/**
 * Encodes one segment of a path or a value of a query, `/` included. Lone surrogates become U+FFFD, so that this never throws.
 */
export function encodeSegment(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
