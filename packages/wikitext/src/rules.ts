/**
 * Coppice's own answers to the points on which wikis differ.
 *
 *   [[Title]] [[/path]] [[../sibling]]   pages        [[Key:Value]]   a marker        [[:Key:Value]]   a page again
 *   [[File:name]] [[Image:name]]         files        [[https://…|label]]   an address, as many people write it
 */
import { limits } from './limits.ts';
import type { LinkTarget, PathOfPage, Rules } from './tree.ts';

const schemes = new Set(
  'bitcoin ftp ftps geo git gopher http https irc ircs magnet mailto matrix mms news nntp redis sftp sip sips sms ssh svn tel telnet urn worldwind xmpp data javascript vbscript'.split(
    ' ',
  ),
);

export const coppiceRules: Rules = Object.freeze({
  link: readLink,
  pipeTrick: true,
  imageTags: true,
  hasLooseNotes: true,
  indentsAfterMarkers: false,
  template: readTemplateName,
  listings: true,
  moreElements: new Set(['details', 'summary', 'figure', 'figcaption']),
});

/** With a label, only these keys are markers: the label sorts. Others are links to titles with a colon. */
const labelled = new Set(['category', 'type', 'location']);

function readLink(written: string, hasLabel: boolean, path: PathOfPage): LinkTarget {
  let text = collapse(written);
  const isForced = text.startsWith(':');
  if (isForced) text = text.slice(1).trimStart();
  const colon = text.indexOf(':');
  if (colon > 0 && !text.startsWith('/') && !text.startsWith('.') && !text.startsWith('#')) {
    const key = text.slice(0, colon).trim().toLowerCase();
    // With a label after a space, the address inside becomes the link.
    if (schemes.has(key)) return text.includes(' ') ? { kind: 'text' } : { kind: 'address', url: text };
    if (!isForced) {
      const value = text.slice(colon + 1).trim();
      if (key === 'file' || key === 'image')
        return value === '' ? { kind: 'text' } : { kind: 'file', name: filePath(value, path) };
      const isMarker = !hasLabel || labelled.has(key);
      if (isMarker && key.length <= limits.keyLength && !key.includes('#'))
        return { kind: 'marker', key, value };
    }
  }
  const hash = text.indexOf('#');
  const fragment = hash < 0 ? undefined : text.slice(hash + 1).trim();
  const title = (hash < 0 ? text : text.slice(0, hash)).trim();
  if (title === '' && !fragment) return { kind: 'text' };
  if (title === '') return { kind: 'page', target: '', isPath: false, fragment };
  const target = resolvePath(title, path);
  return { kind: 'page', target, isPath: target.startsWith('/'), fragment };
}

function readTemplateName(written: string, path: PathOfPage): string | undefined {
  let text = collapse(written);
  if (text.startsWith(':')) text = text.slice(1).trimStart();
  if (/^template\s*:/i.test(text)) text = text.slice(text.indexOf(':') + 1).trimStart();
  const hash = text.indexOf('#');
  if (hash >= 0) text = text.slice(0, hash).trimEnd();
  if (text === '' || text.length > 1024 || /[<>[\]{}|\n\u0000-\u001f]/.test(text)) return undefined;
  return resolvePath(text, path);
}

/** `../x` is a path from the page's own, `./x` a file of the page; anything else stays. */
function filePath(name: string, path: PathOfPage): string {
  return name.startsWith('../') ? resolvePath(name, path) : name.replace(/^(?:\.\/)+/, '');
}

function collapse(text: string): string {
  if (/^[!-~]+(?: [!-~]+)*$/.test(text)) return text;
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}

/** `../x` and `./x` against the page's path; anything else as it is. A trailing slash goes, the root stays above all. */
export function resolvePath(target: string, path: PathOfPage): string {
  if (/^\.\.?(?:\/|$)/.test(target)) {
    const segments = (path() ?? '/').split('/').filter((segment) => segment !== '');
    for (const part of target.split('/')) {
      if (part === '..') segments.pop();
      else if (part !== '' && part !== '.') segments.push(part.trim());
    }
    return `/${segments.join('/')}`;
  }
  return target.startsWith('/') && target.length > 1 ? target.replace(/\/+$/, '') || '/' : target;
}
