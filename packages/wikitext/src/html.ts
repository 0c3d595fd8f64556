/**
 * The only place where markup is escaped and addresses are allowed into it.
 */

const special = /[&<>"'\u0000]/;

/** Text that is safe between tags and inside quoted attributes. */
export function escapeHtml(text: string): string {
  if (!special.test(text)) return text;
  let out = '';
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    let replacement: string;
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
        replacement = '&quot;';
        break;
      case 39:
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

/** A page path as an address, each segment percent-encoded. */
export function pathHref(path: string): string {
  return path.split('/').map(encodeSegment).join('/');
}

/** Where a missing page is created. */
export function newPageHref(target: string, isPath: boolean): string {
  return `/new?${isPath ? 'path' : 'title'}=${encodeSegment(target)}`;
}

export function encodeSegment(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
