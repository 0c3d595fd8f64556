/**
 * The only place where markup is escaped and addresses are allowed into it.
 */
import type { Attributes } from './tree.ts';

/** Text that is safe between tags and inside quoted attributes. */
export function escapeHtml(text: string): string {
  return /[&<>"'\0]/.test(text)
    ? replaceSpecial(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;')
    : text;
}

/** Text that is safe between tags. */
export function escapeText(text: string): string {
  return /[&<>\0]/.test(text) ? replaceSpecial(text) : text;
}

/** One kind of character after the other: each search is far quicker than looking at every character here. */
function replaceSpecial(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\0', '\uFFFD');
}

/** ` name="value"` for each; undefined values are left out. Names come from the engine or its allow-list, never from a page. */
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

/** Schemes that open something harmless: those before `://`, and those before `:` alone. */
export const schemesWithSlashes =
  'ftp ftps git gopher http https irc ircs mms nntp redis sftp ssh svn telnet worldwind'.split(' ');
export const schemesWithout = 'bitcoin geo magnet mailto matrix news sip sips sms tel urn xmpp'.split(' ');

const allowedUrl = new RegExp(
  `^(?:/(?!\\\\)|(?:${schemesWithSlashes.join('|')})://|(?:${schemesWithout.join('|')}):)`,
  'i',
);

/** The address, or undefined when following it could do more than open a page. */
export function safeUrl(url: string): string | undefined {
  return allowedUrl.test(url) ? url : undefined;
}

/** An address that the host gave: of this wiki or of the web, nothing else. */
export function hostUrl(url: string): string {
  return /^(?:https?:\/\/|\/(?!\/)|\.{0,2}\/(?!\/)|#|\?|data:image\/(?:png|jpeg|gif|webp|avif);base64,)/i.test(
    url,
  )
    ? url
    : '#';
}

/** A page path as an address, each segment percent-encoded. */
export function pathHref(path: string): string {
  return path.split('/').map(encodeSegment).join('/') || '/';
}

/** Address at which a missing page is created. */
export function newPageHref(target: string, isPath: boolean): string {
  return `/new?${isPath ? 'path' : 'title'}=${encodeSegment(target)}`;
}

export function encodeSegment(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
