/**
 * Pages and tags.
 *
 *   {{#titleparts: A/b/c | 2}}      A/b            {{#rel2abs: ../x}}      the path x beside this page
 *   {{localurl: /a b}}              /a%20b         {{#tag: ref | text | name=a}}      <ref name="a">text</ref>
 */

import { escapeHtml, pathHref } from '../html.ts';
import { hideNested, markNotes } from '../nested-tags.ts';
import { resolvePath } from '../rules.ts';
import type { Call, Functions } from './call.ts';
import { withoutNowiki } from './markers.ts';
import { number } from './numbers.ts';

export const page: Functions = {
  '#titleparts': (call) => titleParts(call.text(0), number(call.text(1), 0), number(call.text(2), 0)),
  '#rel2abs': ownPath,
  '#tag': tag,
  '#special': (call) => `Special:${call.text(0)}`,
  '#speciale': (call) => `Special:${call.text(0).replaceAll(' ', '_')}`,
  '#contentmodel': () => 'wikitext',
  '#isbn': (call) => call.text(1) || `ISBN&#32;${call.text(0)}`,
  localurl: (call) => href(call),
  localurle: (call) => escapeHtml(href(call)),
  fullurl: (call) => (call.expander.context.server ?? '') + href(call),
  fullurle: (call) => (call.expander.context.server ?? '') + escapeHtml(href(call)),
  canonicalurl: (call) => (call.expander.context.server ?? '') + href(call),
  canonicalurle: (call) => (call.expander.context.server ?? '') + escapeHtml(href(call)),
  filepath: filePath,
  int: message,
  defaultsort: () => '',
  defaultsortkey: () => '',
  defaultcategorysort: () => '',
  displaytitle: (call) => {
    const written = call.text(0);
    if (written !== '' && call.expander.budget.grow(written.length)) call.expander.displayTitle = written;
    return '';
  },
  ns: namespaceName,
  nse: (call) => namespaceName(call)?.replaceAll(' ', '_'),
  protectionlevel: () => '',
  protectionexpiry: () => 'infinity',
  cascadingsources: () => '',
  shortdesc: () => '',
  noexternallanglinks: () => '',
  '#noexternallanglinks': () => '',
  '#related': () => '',
  '#assessment': () => '',
};

/** MediaWiki's namespaces by number, from -2; 0 has no name. In English, which every wiki reads. */
const namespaces =
  'Media Special  Talk User User_talk Project Project_talk File File_talk MediaWiki MediaWiki_talk Template Template_talk Help Help_talk Category Category_talk'
    .split(' ')
    .map((name) => name.replace('_', ' '));

/** `{{ns:6}}`, `{{ns:image}}`; undefined for what is no namespace, so that it stays as written. */
function namespaceName(call: Call): string | undefined {
  const wanted = call.text(0).replaceAll('_', ' ').toLowerCase();
  const known = wanted === 'image' ? 'file' : wanted;
  return /^-?\d+$/.test(known)
    ? namespaces[Number(known) + 2]
    : namespaces.find((name) => name.toLowerCase() === known);
}

/** Address of a file, empty where there is none; with `nowiki`, as text that is no link. */
function filePath(call: Call): string {
  const { rules, path } = call.expander;
  const link = rules.link(`File:${call.text(0)}`, true, path);
  const found = link.kind === 'file' ? call.expander.data.file(link.name) : null;
  const address = found ? (call.expander.context.server ?? '') + found : '';
  const isText = address !== '' && call.arguments.slice(1).some((_, at) => call.text(at + 1) === 'nowiki');
  return isText ? `<nowiki>${address}</nowiki>` : address;
}

/** The text of a message, with the other arguments for `$1` and so on; its name where there is none. */
function message(call: Call): string | undefined {
  const name = call.text(0);
  if (name === '') return undefined;
  const { rules, data } = call.expander;
  const page = rules.message?.(name);
  const source = page === undefined ? null : data.source(page);
  if (page === undefined || source === null) return `⧼${escapeHtml(name)}⧽`;
  if (source === undefined) return '';
  return call.expander.include(page, [], call.frame, (text) =>
    text.replace(/\$([1-9])/g, (written, at) =>
      Number(at) < call.arguments.length ? call.text(Number(at)) : written,
    ),
  );
}

/** Path beside a page; with a title as the other argument, one beside that title. */
function ownPath(call: Call): string {
  const [to, base] = [call.text(0), call.text(1)];
  return base === '' || base.startsWith('/')
    ? resolvePath(to, () => base || call.expander.path())
    : absolutePath(to, base);
}

/** Title beside another as MediaWiki finds it, where one with a leading slash is a subpage. */
export function absolutePath(written: string, base: string): string {
  const to = written.replace(/\/+$/, '');
  if (to === '') return base;
  if (!/^(?:\/|\.\.?(?:\/|$))/.test(to)) return absolutePath(`/${to}`, '');
  const segments: string[] = [];
  for (const part of `${base}/${to}`.split('/')) {
    if (part === '..') {
      if (segments.pop() === undefined)
        return `<strong class="error">Error: Invalid depth in path: "${escapeHtml(`${base}/${to}`)}" (tried to access a node above the root node).</strong>`;
    } else if (part !== '' && part !== '.') segments.push(part);
  }
  return segments.join('/');
}

/** `count` parts of a title from the `first` one on, from the end where they are negative. */
export function titleParts(title: string, count: number, first: number): string {
  const all = title.split('/');
  // Like in MediaWiki, the 25th part holds the remainder.
  const parts = all.length > 25 ? [...all.slice(0, 24), all.slice(24).join('/')] : all;
  const from = first > 0 ? first - 1 : first;
  const rest = parts.slice(from);
  if (count === 0) return rest.join('/');
  return rest.slice(0, count).join('/');
}

function tag(call: Call): string | undefined {
  const name = call.text(0).toLowerCase();
  if (!/^[a-z][a-z0-9]*$/.test(name) || name === 'listing' || name === 'unsupported') return undefined;
  const isExtension = call.expander.isExtension(name);
  let attributes = '';
  for (const argument of call.arguments.slice(2)) {
    const key = argument.name()?.trim();
    if (key === undefined || !/^[a-z][\w-]*$/i.test(key)) continue;
    const value = argument
      .value()
      .trim()
      .replace(/^(["'])(.*)\1$/s, '$2');
    // Values of extensions stay as they are: there is nothing to decode in them, and no white space goes.
    const plain = isExtension ? value.replace(/&|^\s|\s$|\s(?=\s)/g, entityOf) : value;
    attributes += ` ${key}="${plain.replaceAll('"', '&quot;').replaceAll('>', '&gt;')}"`;
  }
  const written = call.arguments[1]?.whole();
  // Insides that are shown as they are show the text of nowiki.
  const isText = /^(?:nowiki|pre|syntaxhighlight|source|math)$/.test(name);
  const body = isText && written !== undefined ? withoutNowiki(call.expander, written) : written;
  // Any other tag is as good as written; whether it is one is decided where it lands.
  if (body === undefined) return `<${name}${attributes}/>`;
  if (!isExtension) return `<${name}${attributes}>${body}</${name}>`;
  const inside = name === 'ref' || name === 'references' ? markNotes(body, 'earlier') : body;
  return `<${name}${attributes}>${hideNested(inside)}</${name}>`;
}

function entityOf(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}

function href(call: Call): string {
  const target = call.text(0);
  const isPath = target.startsWith('/') || target.startsWith('.');
  const path = pathHref(resolvePath(isPath ? target : `/${target}`, call.expander.path));
  const query = call.text(1);
  return query === '' ? path : `${path}?${query.replace(/[\s<>"'[\]{|}]/g, encodeURIComponent)}`;
}
