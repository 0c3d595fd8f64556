/**
 * Coppice's rules on the points in which wikis differ.
 *
 *   [[Title]] [[/path]] [[../sibling]]   pages        [[Key:Value]]   a marker        [[:Key:Value]]   a page again
 *   [[File:name]] [[Image:name]]         files        [[https://…|label]]   an address, as many people write it
 *   [[Help:Title]] [[Talk:Title]]        pages        [[wikipedia:Title]]   a page of another wiki
 *   [[Special:Redirect/user/7|Ann]]      a member, by ID
 */
import { schemesWithout, schemesWithSlashes } from './html.ts';
import { limits } from './limits.ts';
import type { LinkTarget, PathOfPage, Rules } from './options.ts';

const schemes = new Set([...schemesWithSlashes, ...schemesWithout, 'data', 'javascript', 'vbscript']);

/** Name in lower case with spaces → the engine's name: `file`, `media`, `category`, `template`, or `page` for any other. */
export type Namespaces = ReadonlyMap<string, string>;

export const englishNamespaces: Namespaces = new Map([
  ...'special talk'.split(' ').map((name): [string, string] => [name, 'page']),
  ...'user project file image mediawiki template help category'
    .split(' ')
    .flatMap((name): [string, string][] => [
      [name, 'page'],
      [`${name} talk`, 'page'],
    ]),
  ['file', 'file'],
  ['image', 'file'],
  ['media', 'media'],
  ['category', 'category'],
  ['template', 'template'],
]);

/** Returns the address of a page on another wiki if the lower-case key is a prefix. `isForced`: a colon precedes the prefix. */
type OtherWiki = (key: string, value: string, isForced: boolean) => string | undefined;

/** Creates Coppice's rules with other names, prefixes of other wikis and other options. */
export function createRules(namespaces: Namespaces, otherWiki: OtherWiki, more: Partial<Rules>): Rules {
  return Object.freeze({
    link: linkReader(otherWiki, namespaces),
    pipeTrick: true,
    imageTags: true,
    hasLooseNotes: true,
    indentsAfterMarkers: false,
    template: (written, path) => readTemplateName(written, path, namespaces),
    listings: true,
    marksMissing: true,
    moreElements: new Set(['details', 'summary', 'figure', 'figcaption']),
    ...more,
  } satisfies Rules);
}

/** Coppice's own rules, in English, without other wikis. */
export const coppiceRules: Rules = createRules(englishNamespaces, () => undefined, {});

/**
 * Keys that are markers even with a label, which is then a sort key. With any other key, the text is a link to a title with a
 * colon.
 */
const labelled = new Set(['category', 'type', 'location']);

function linkReader(otherWiki: OtherWiki, namespaces: Namespaces): Rules['link'] {
  return (written, hasLabel, path) => {
    let text = collapse(written);
    const isForced = text.startsWith(':');
    if (isForced) text = text.slice(1).trimStart();
    const colon = text.indexOf(':');
    const key = text.slice(0, Math.max(0, colon)).trim().toLowerCase();
    // If a label follows the address after a space, the brackets are text and the address inside becomes a link.
    if (schemes.has(key) || text.startsWith('//'))
      return text.includes(' ') ? { kind: 'text' } : { kind: 'address', url: text };
    if (colon > 0 && !/^[/.#]/.test(text)) {
      const value = text.slice(colon + 1).trim();
      const url = memberUrl(key, value) ?? otherWiki(key, value, isForced);
      if (url !== undefined) return { kind: 'address', url, isWiki: true };
      const namespace = namespaces.get(key.replaceAll('_', ' '));
      if (isForced && namespace === 'file' && value !== '' && !value.includes('#'))
        return { kind: 'page', target: text, isPath: false, file: filePath(value, path) };
      if (!isForced) {
        if (namespace === 'file' || namespace === 'media')
          return value === '' ? { kind: 'text' } : { kind: namespace, name: filePath(value, path) };
        const isMarker = namespace === undefined || namespace === 'category';
        const markerKey = namespace ?? key;
        if (
          isMarker &&
          (!hasLabel || labelled.has(markerKey)) &&
          key.length <= limits.keyLength &&
          !key.includes('#')
        )
          return { kind: 'marker', key: markerKey, value };
      }
    }
    const hash = text.indexOf('#');
    const fragment = hash < 0 ? undefined : text.slice(hash + 1).trim();
    const title = (hash < 0 ? text : text.slice(0, hash)).trim();
    if (title === '' && !fragment) return { kind: 'text' };
    if (title === '') return { kind: 'page', target: '', isPath: false, fragment };
    const target = resolvePath(title, path);
    const page: LinkTarget = { kind: 'page', target, isPath: target.startsWith('/'), fragment };
    if (/\.[a-z]\w{0,9}$/i.test(title)) page.file = filePath(title, path);
    return page;
  };
}

/** Returns the address of a member's page, as in MediaWiki. Members can be renamed. */
function memberUrl(key: string, value: string): string | undefined {
  const [, id] = (key === 'special' && /^redirect\/user\/(\d{1,15})$/i.exec(value)) || [];
  return id && `/members/${id}`;
}

function readTemplateName(written: string, path: PathOfPage, namespaces: Namespaces): string | undefined {
  let text = collapse(written);
  if (text.startsWith(':')) text = text.slice(1).trimStart();
  const colon = text.indexOf(':');
  if (colon > 0 && namespaces.get(text.slice(0, colon).trim().toLowerCase()) === 'template')
    text = text.slice(colon + 1).trimStart();
  const hash = text.indexOf('#');
  if (hash >= 0) text = text.slice(0, hash).trimEnd();
  if (text === '' || text.length > 1024 || /[<>[\]{}|\n\u0000-\u001f]/.test(text)) return undefined;
  return resolvePath(text, path);
}

/** Resolves the path of a file: `../x` is relative to the page's path, `./x` is a file of the page; other names stay. */
function filePath(name: string, path: PathOfPage): string {
  return name.startsWith('../') ? resolvePath(name, path) : name.replace(/^(?:\.\/)+/, '');
}

function collapse(text: string): string {
  if (/^[!-~]+(?: [!-~]+)*$/.test(text)) return text;
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}

/**
 * Resolves `../x` and `./x` against the page's path and returns other targets unchanged. A trailing slash is removed; paths
 * never go above the root.
 */
export function resolvePath(target: string, path: PathOfPage): string {
  if (/^\.\.?(?:\/|$)/.test(target)) {
    const segments = (path() ?? '/').split('/').filter((segment) => segment !== '');
    for (const part of target.split('/')) {
      if (part === '..') segments.pop();
      else if (part !== '' && part !== '.') segments.push(part.trim());
    }
    return `/${segments.join('/')}`;
  }
  return target.startsWith('/') ? target.replace(/(?<!\/)\/+$/, '') || '/' : target;
}
