/**
 * Targets and labels of links.
 *
 *   <a href="/trees/oak">the oak</a>            [[/trees/oak|the oak]]
 *   <a href="./Oak_tree" rel="mw:WikiLink">…    [[Oak tree]]        as Parsoid writes it
 *   <a href="https://example.org">there</a>     [https://example.org there]
 */
import { safeUrl } from '../html.ts';
import { freeUrlEnd, schemeEnd, urlEnd } from '../inlines/external-link.ts';
import { asWritten } from './elements.ts';
import { type HtmlElement, hasClass, jsonOf, stringAt, textOf } from './html-tree.ts';
import type { Options } from './options.ts';

export type LinkTo =
  /** `target`: text in the brackets before the label. */
  { kind: 'page'; target: string } | { kind: 'url'; url: string } | { kind: 'none' };

/** Returns the target of a link: a page, named as links to it are written, or an address. */
export function linkTo(node: HtmlElement, options: Options): LinkTo {
  const href = (node.attributes.href ?? '').trim();
  const rel = node.attributes.rel ?? '';
  if (rel === 'mw:MediaLink' || (hasClass(node, 'media') && /^\/files\//.test(href)))
    return { kind: 'page', target: mediaTarget(node) };
  const own = options.target?.(href, node);
  if (own !== undefined) return { kind: 'page', target: own };
  const written = asWritten(node, 'href');
  const isUrl = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(href);
  if (rel === 'mw:WikiLink/Interwiki') {
    const title = node.attributes.title;
    const target = written ?? (/^[^:]+:./.test(title ?? '') ? title : undefined) ?? options.interwiki?.(href);
    if (target !== undefined)
      return {
        kind: 'page',
        target: target + (written === undefined && !target.includes('#') ? fragmentOf(href) : ''),
      };
  }
  if (rel === 'mw:WikiLink' || /^\.\.?\//.test(href))
    return { kind: 'page', target: written ?? titleOf(href) };
  if (isUrl) {
    const target = options.interwiki?.(href);
    if (target !== undefined && rel !== 'mw:ExtLink' && !hasClass(node, 'external'))
      return { kind: 'page', target };
    return safeUrl(href) === undefined
      ? { kind: 'none' }
      : { kind: 'url', url: written ?? cleanAddress(href) };
  }
  return pathTarget(href);
}

/** Returns the target of a path in this wiki, of a section of the page, or of a link to create a page. */
function pathTarget(href: string): LinkTo {
  const missing = /^\/new\?(?:path|title)=([^&#]+)$/.exec(href);
  const [before = '', hash] = missing ? [missing[1]] : href.split('#');
  const isPath = missing || before.startsWith('/') || (before === '' && hash);
  if (!isPath || (!missing && before.includes('?'))) return { kind: 'none' };
  const path = decoded(before);
  const section = hash ? decoded(hash) : '';
  if (/[[\]{}|<>#\n]/.test(path) || path.startsWith('//')) return { kind: 'none' };
  return { kind: 'page', target: section === '' || /[[\]{}|\n]/.test(section) ? path : `${path}#${section}` };
}

/** Returns `Oak tree#Bark` for `./Oak_tree#Bark`. */
export function titleOf(href: string): string {
  const [page = '', ...fragment] = href.replace(/^(?:\.\.?\/)+/, '').split('#');
  const title = decoded(page.replace(/\?action=edit(?:&redlink=1)?$/, '')).replaceAll('_', ' ');
  return fragment.length === 0 ? title : `${title}#${decoded(fragment.join('#')).replaceAll('_', ' ')}`;
}

function mediaTarget(node: HtmlElement): string {
  const written = asWritten(node, 'resource');
  if (written !== undefined) return written;
  const { resource, href = '' } = node.attributes;
  return resource === undefined ? `Media:${decoded(href.split('/').pop() ?? '')}` : titleOf(resource);
}

function fragmentOf(href: string): string {
  const hash = href.indexOf('#');
  return hash < 0 ? '' : `#${decoded(href.slice(hash + 1)).replaceAll('_', ' ')}`;
}

/** Decodes percent signs; text with invalid ones stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Encodes the characters of an address that would end it. */
function cleanAddress(url: string): string {
  return url
    .replace(/[\s"<>\u0000-\u001f\u007f]/g, (sign) => encodeURIComponent(sign))
    .replace(/''+/g, (signs) => '%27'.repeat(signs.length))
    .replace(/(?<!^[a-z]{2,12}:\/\/)\[|\](?![:/])/gi, (sign, at: number) =>
      /^[a-z]{2,12}:\/\/\[[0-9a-f:.]*$/i.test(url.slice(0, at)) ? sign : sign === '[' ? '%5B' : '%5D',
    )
    .replaceAll('{{', '%7B%7B')
    .replaceAll('|', '%7C')
    .replace(/&(?=(?:amp|lt|gt|quot|nbsp|#\w{1,8})(?:;|$))/g, '&amp;');
}

/** Whether the whole text would be parsed as one bare address. */
export function isFreeUrl(url: string): boolean {
  const scheme = schemeEnd(url, 0);
  if (scheme < 0 || url.startsWith('//')) return false;
  const end = urlEnd(url, scheme, url.length);
  return end === url.length && freeUrlEnd(url, 0, scheme, end) === url.length;
}

/** Whether text directly after a bare address would be parsed as part of it. Punctuation alone would not. */
export function continuesUrl(text: string, hasParenthesis: boolean): boolean {
  const [next = ''] = /^(?:(?!'')[^\s"<>[\]\u0001-\u0004])*/.exec(text) ?? [];
  return next !== '' && !(hasParenthesis ? /^[,;.:!?]+$/ : /^[,;.:!?)]+$/).test(next);
}

/** Whether this is a link that a dialect produces for `RFC 822`, `PMID 1` or an ISBN. */
export function isBookNumber(node: HtmlElement): boolean {
  if (stringAt(jsonOf(node, 'data-parsoid'), 'stx') === 'magiclink') return true;
  const text = textOf(node);
  const href = node.attributes.href ?? '';
  const [, number = ''] = /^(?:RFC|PMID)[ \u00a0]+(\d+)$/.exec(text) ?? [];
  if (number !== '') return new RegExp(`(?:/rfc|/pubmed/)${number}(?:\\?dopt=Abstract)?$`).test(href);
  if (!/^ISBN[ \u00a0]/.test(text)) return false;
  return href.endsWith(
    `BookSources/${text
      .slice(5)
      .replace(/[^\dXx]/g, '')
      .toUpperCase()}`,
  );
}

/** Whether the link needs no separate label: `[[oak]]` for a link to `Oak`. */
export function isOwnLabel(label: string, target: string): boolean {
  const plain = (text: string) => text.replaceAll('_', ' ').replace(/^:/, '');
  const [one, other] = [plain(label), plain(target)];
  if (one === other) return true;
  return (
    one.slice(1) === other.slice(1) &&
    one.slice(0, 1).toUpperCase() === other.slice(0, 1).toUpperCase() &&
    !target.startsWith('/')
  );
}
