/**
 * The only place where markup is escaped and addresses are allowed into it.
 */
import type { Attributes } from './tree.ts';

/** Text that is safe between tags and inside quoted attributes. */
export function escapeHtml(text: string): string {
  return /[&<>"'\0]/.test(text) ? replaceSpecial(text, true) : text;
}

/** Text that is safe between tags. */
export function escapeText(text: string): string {
  return /[&<>\0]/.test(text) ? replaceSpecial(text, false) : text;
}

function replaceSpecial(text: string, withQuotes: boolean): string {
  let out = '';
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    let replacement = '';
    switch (text.charCodeAt(at)) {
      case 38:
        replacement = '&amp;';
        break;
      case 60:
        replacement = '&lt;';
        break;
      case 62:
        replacement = '&gt;';
        break;
      case 34:
        if (!withQuotes) continue;
        replacement = '&quot;';
        break;
      case 39:
        if (!withQuotes) continue;
        replacement = '&#39;';
        break;
      case 0:
        replacement = '\uFFFD';
        break;
      default:
        continue;
    }
    out += text.slice(from, at) + replacement;
    from = at + 1;
  }
  return out + text.slice(from);
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

const allowedUrl =
  /^(?:\/(?!\\)|(?:ftp|ftps|git|gopher|http|https|irc|ircs|mms|nntp|redis|sftp|ssh|svn|telnet|worldwind):\/\/|(?:bitcoin|geo|magnet|mailto|matrix|news|sip|sips|sms|tel|urn|xmpp):)/i;

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

/** Where a missing page is created. */
export function newPageHref(target: string, isPath: boolean): string {
  return `/new?${isPath ? 'path' : 'title'}=${encodeSegment(target)}`;
}

export function encodeSegment(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
