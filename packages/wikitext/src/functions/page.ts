/**
 * Functions about pages and tags.
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

/** MediaWiki's namespaces by number, starting at -2; 0 has no name. The names are English, which every wiki reads. */
const namespaces =
  'Media Special  Talk User User_talk Project Project_talk File File_talk MediaWiki MediaWiki_talk Template Template_talk Help Help_talk Category Category_talk'
    .split(' ')
    .map((name) => name.replace('_', ' '));

/**
 * Returns the name for `{{ns:6}}` or `{{ns:image}}`; undefined if there is no such namespace, so that the call stays as
 * written.
 */
function namespaceName(call: Call): string | undefined {
  const wanted = call.text(0).replaceAll('_', ' ').toLowerCase();
  const known = wanted === 'image' ? 'file' : wanted;
  return /^-?\d+$/.test(known)
    ? namespaces[Number(known) + 2]
    : namespaces.find((name) => name.toLowerCase() === known);
}

/** Returns the address of a file, empty if the file does not exist; with `nowiki`, as text that does not become a link. */
function filePath(call: Call): string {
  const { rules, path } = call.expander;
  const link = rules.link(`File:${call.text(0)}`, true, path);
  const found = link.kind === 'file' ? call.expander.data.file(link.name) : null;
  const address = found ? (call.expander.context.server ?? '') + found : '';
  const isText = address !== '' && call.arguments.slice(1).some((_, at) => call.text(at + 1) === 'nowiki');
  return isText ? `<nowiki>${address}</nowiki>` : address;
}

/** Returns the text of a message, with the other arguments for `$1` and so on; its name if there is no such message. */
function message(call: Call): string | undefined {
  const name = call.text(0);
  if (name === '') return undefined;
  const { rules, data } = call.expander;
  const page = rules.message?.(name);
  const source = page === undefined ? null : data.source(page);
  if (page === undefined || source === null) return `⧼${escapeHtml(name)}⧽`;
  if (source === undefined) return '';
  const select = (text: string) =>
    text.replace(/\$([1-9])/g, (written, at) =>
      Number(at) < call.arguments.length ? call.text(Number(at)) : written,
    );
  return call.expander.include({ name: page, select }, [], call.frame);
}

/** Resolves a path relative to the page, or relative to the title in the second argument. */
function ownPath(call: Call): string {
  const [to, base] = [call.text(0), call.text(1)];
  return base === '' || base.startsWith('/')
    ? resolvePath(to, () => base || call.expander.path())
    : absolutePath(to, base);
}

/** Resolves a title relative to another as MediaWiki does; a leading slash means a subpage. */
export function absolutePath(written: string, base: string): string {
  const to = written.replace(/(?<!\/)\/+$/, '');
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

/** Returns `count` parts of a title, starting with number `first`; negative numbers count from the end. */
export function titleParts(title: string, count: number, first: number): string {
  const all = title.split('/');
  // The 25th part holds the rest, as in MediaWiki.
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
    // Attribute values of extensions are encoded so that decoding and trimming leave them unchanged.
    const plain = isExtension ? value.replace(/&|^\s|\s$|\s(?=\s)/g, entityOf) : value;
    attributes += ` ${key}="${plain.replaceAll('"', '&quot;').replaceAll('>', '&gt;')}"`;
  }
  const written = call.arguments[1]?.whole();
  // Tags that show their content verbatim show the text of nowiki.
  const isText = /^(?:nowiki|pre|syntaxhighlight|source|math)$/.test(name);
  const body = isText && written !== undefined ? withoutNowiki(call.expander, written) : written;
  // Any other tag is written out; the parser decides later whether it is allowed.
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
