/**
 * Edits through HTML, as an editor makes them: how many look as edited, and how many leave all other bytes of the source alone.
 *
 *   node bench/editing/html-edits.ts <export of a MediaWiki, .xml, or folder of .mediawiki files> [edits of a kind in each page, 2] [kind]
 *
 * Each page is rendered with the places of its elements, one thing of the HTML is edited, and the HTML is written as wikitext
 * with the source as original. Templates are empty; their results are not edited. Prints by kind the edits, the share that is
 * rendered as the edited HTML (`right`), and the share in which also every byte outside the source of the edited element, or of
 * the place beside it, is kept (`exact`); then examples of the others.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expand, parse, render } from '@coppice/wikitext';
import { toWikitext } from '@coppice/wikitext/html';
import { mediawiki } from '@coppice/wikitext/mediawiki';
import { type DefaultTreeAdapterMap, parseFragment, serialize, serializeOuter } from 'parse5';
import { chance } from '../world/random.ts';

type Node = DefaultTreeAdapterMap['childNode'];
type Element = DefaultTreeAdapterMap['element'];
type Fragment = DefaultTreeAdapterMap['documentFragment'];
type Parent = Element | Fragment;
type Range = { start: number; end: number };

const [place = '', each = '2', only] = process.argv.slice(2);
const { rules, address } = mediawiki();
const page = { path: 'A', title: 'A' };
const target = (href: string) =>
  href.startsWith('/wiki/')
    ? decodeURIComponent(href.slice('/wiki/'.length)).replaceAll('_', ' ')
    : undefined;

function sourcesOf(from: string): string[] {
  if (!from.endsWith('.xml'))
    return readdirSync(from)
      .filter((name) => name.endsWith('.mediawiki'))
      .map((name) => readFileSync(join(from, name), 'utf8'));
  const references: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' };
  return [...readFileSync(from, 'utf8').matchAll(/<text\b[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) =>
    text.replace(/&(lt|gt|quot|amp);/g, (_, name: string) => references[name] ?? ''),
  );
}

function shown(source: string): string {
  const templates = new Map<string, string>();
  const none = { exists: new Map(), listings: new Map(), now: 0, tracksOrigins: true };
  const context = { page, templates, rules, ...none };
  let { text, needs, origins = [] } = expand(source, context);
  while (needs.templates.length > 0) {
    for (const name of needs.templates) templates.set(name, '');
    ({ text, needs, origins = [] } = expand(source, context));
  }
  const tree = parse(text, { rules, expanded: true });
  return render(tree, { pages: new Map(), files: new Map(), page, address, origins }).html;
}

/** HTML without what the renderer numbers and names, and without white space that shows nothing. */
function seen(html: string): string {
  return (
    serialize(parseFragment(html))
      .replace(/ (?:data-source|id)="[^"]*"/g, '')
      .replace(/<nav class="toc".*?<\/nav>/gs, '')
      .replace(/<sup[^>]*class="reference".*?<\/sup>/gs, '<sup></sup>')
      .replace(/<ol class="references".*?<\/ol>/gs, '')
      .replace(/>\[\d+\]<\/a>/g, '>[]</a>')
      .replace(/<\/?tbody>|<span><\/span>|<p>\s*<\/p>/g, '')
      .replace(' mw-references-columns', '')
      // Nor does empty emphasis.
      .replace(/<([ib])><\/\1>/g, '')
      .replace(/\s+/g, ' ')
      // Blank lines behind a heading do not show.
      .replace(/(<\/h\d>) ?(?:<p><br> ?<\/p> ?)+/g, '$1')
      .replace(/(<\/h\d>) ?<p><br>/g, '$1<p>')
      .replace(
        / ?(<\/?(?:p|li|dd|dt|ul|ol|dl|td|th|tr|table|div|pre|h\d|caption|figure|figcaption)\b[^>]*>) ?/g,
        '$1',
      )
      .trim()
  );
}

const wordChance = chance(41);

// Edits ---------------------------------------------------------------------------------------------------------------

/** Changes the tree at an element, and returns the part of the source that may differ; undefined if it is no place for the edit. */
type Edit = (element: Element, range: Range, source: string) => Range | undefined;

const attribute = (element: Element, name: string) => element.attrs.find((one) => one.name === name)?.value;
const at = (offset: number): Range => ({ start: offset, end: offset });
const siblings = (element: Element): Node[] => (element.parentNode as Parent).childNodes;

function remove(element: Element): void {
  siblings(element).splice(siblings(element).indexOf(element), 1);
}

function insert(parent: Parent, index: number, html: string): void {
  const nodes = parseFragment(parent as Element, html, {}).childNodes;
  for (const node of nodes) node.parentNode = parent;
  parent.childNodes.splice(index, 0, ...nodes);
}

function insertAfter(element: Element, html: string): void {
  insert(element.parentNode as Parent, siblings(element).indexOf(element) + 1, html);
}

/** Start of the line before the one in which a part begins: a row's own line `|-`. */
function lineBefore(source: string, start: number): number {
  return Math.max(0, source.lastIndexOf('\n', start - 2));
}

/** Replaces a random word of the element's own text by `change`. */
function atWord(element: Element, change: (word: string) => string): string | undefined {
  const words = element.childNodes.flatMap((node, index) =>
    'value' in node && node.nodeName === '#text'
      ? Array.from(node.value.matchAll(/(?<=^|\s)\p{L}{4,}(?=\s|$)/gu), ({ 0: word, index: from }) => {
          const [before, after] = [node.value.slice(0, from), node.value.slice(from + word.length)];
          return { index, before, word, after };
        })
      : [],
  );
  const found = words[words.length === 0 ? 0 : wordChance.integer(words.length)];
  if (!found) return undefined;
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  element.childNodes.splice(found.index, 1);
  insert(element, found.index, escaped(found.before) + change(found.word) + escaped(found.after));
  return found.word;
}

/** Rows of a table itself, not of tables in its cells. */
function rowsOf(table: Element): Element[] {
  return table.childNodes.flatMap((node) =>
    !('tagName' in node) ? [] : node.tagName === 'tr' ? [node] : node.tagName === 'tbody' ? rowsOf(node) : [],
  );
}

/** Whether all cells of a row are the page's own. */
function isPlainRow(row: Element): boolean {
  return attribute(row, 'data-source') !== undefined;
}

/** A heading and all up to the next of its level. */
function sectionOf(heading: Element): Node[] {
  const all = siblings(heading);
  const from = all.indexOf(heading);
  const end = all.findIndex((node, index) => index > from && node.nodeName === heading.nodeName);
  return all.slice(from, end < 0 ? all.length : end);
}

/** Puts an element around a link and the words beside it. */
function wrapLink(element: Element, name: string): boolean {
  const index = element.childNodes.findIndex(
    (node, at, all) =>
      node.nodeName === 'a' && all[at - 1]?.nodeName === '#text' && all[at + 1]?.nodeName === '#text',
  );
  const [before, link, after] = element.childNodes.slice(index - 1, index + 2);
  if (index < 1 || !before || !link || !after || !('value' in before) || !('value' in after)) return false;
  const head = /\p{L}+ $/u.exec(before.value)?.[0];
  const tail = /^ \p{L}+/u.exec(after.value)?.[0];
  if (!head || !tail) return false;
  before.value = before.value.slice(0, -head.length);
  after.value = after.value.slice(tail.length);
  element.childNodes.splice(index, 1);
  insert(element, index, `<${name}>${head}${serializeOuter(link as Element)}${tail}</${name}>`);
  return true;
}

/** Whether nothing shows but blank lines, which may stand for calls without a result. */
function isBlank(element: Element): boolean {
  return /^(?:\s|<br>)*$/.test(serialize(element));
}

/** Whether a part has the text of a note that stands elsewhere, too, and has to move there. */
function definesNote(source: string, { start, end }: Range): boolean {
  const rest = source.slice(0, start) + source.slice(end);
  return Array.from(source.slice(start, end).matchAll(/<ref\s+name\s*=\s*"?([^">/]+)"?\s*>/g)).some(
    ([, name = '']) => rest.includes(name.trim()),
  );
}

function wordIn(...names: string[]): { names: string[]; edit: Edit } {
  return { names, edit: (element, range) => (atWord(element, () => 'changed') ? range : undefined) };
}

const kinds: Readonly<Record<string, { names: string[]; edit: Edit }>> = {
  'word of a paragraph': wordIn('p'),
  'word of a cell': wordIn('td', 'th'),
  'word of an item': wordIn('li', 'dd', 'dt'),
  'word of a heading': wordIn('h2', 'h3', 'h4'),
  'word of a caption': wordIn('figcaption', 'caption'),
  'word of a link': wordIn('a'),
  'word of code': wordIn('code', 'pre'),
  'bold a word': {
    names: ['p', 'li', 'td', 'dd', 'figcaption'],
    edit: (element, range) => (atWord(element, (word) => `<b>${word}</b>`) ? range : undefined),
  },
  'link a word': {
    names: ['p', 'li', 'td', 'dd'],
    edit: (element, range) =>
      atWord(element, (word) => `<a href="/wiki/Some_page">${word}</a>`) ? range : undefined,
  },
  'take emphasis away': {
    names: ['b', 'i'],
    edit: (element, range) => {
      const parent = element.parentNode as Parent;
      const index = siblings(element).indexOf(element);
      remove(element);
      for (const child of element.childNodes) child.parentNode = parent;
      parent.childNodes.splice(index, 0, ...element.childNodes);
      return range;
    },
  },
  'target of a link': {
    names: ['a'],
    edit: (element, range) => {
      const href = element.attrs.find(({ name }) => name === 'href');
      if (!href?.value.startsWith('/wiki/')) return undefined;
      href.value = '/wiki/Some_page';
      return range;
    },
  },
  'link less': {
    names: ['a'],
    edit: (element, range) => {
      remove(element);
      return range;
    },
  },
  'row more': {
    names: ['tr'],
    edit: (element, range) => {
      const cells = element.childNodes.filter(({ nodeName }) => nodeName === 'td' || nodeName === 'th');
      if (cells.length === 0) return undefined;
      insertAfter(element, `<tr>${cells.map(() => '<td>new</td>').join('')}</tr>`);
      return at(range.end);
    },
  },
  'row less': {
    names: ['tr'],
    edit: (element, range, source) => {
      if (siblings(element).filter(({ nodeName }) => nodeName === 'tr').length < 2) return undefined;
      remove(element);
      return { start: lineBefore(source, range.start), end: range.end + 4 };
    },
  },
  'cell more': {
    names: ['td'],
    edit: (element, range) => {
      insertAfter(element, '<td>new</td>');
      return at(range.end);
    },
  },
  'cell less': {
    names: ['td', 'th'],
    edit: (element, range) => {
      if (siblings(element).filter(({ nodeName }) => /^t[dh]$/.test(nodeName)).length < 2) return undefined;
      remove(element);
      return range;
    },
  },
  'item more': {
    names: ['li'],
    edit: (element, range) => {
      insertAfter(element, '<li>new</li>');
      return at(range.end);
    },
  },
  'item less': {
    names: ['li', 'dd'],
    edit: (element, range) => {
      if (siblings(element).filter(({ nodeName }) => /^(?:li|d[dt])$/.test(nodeName)).length < 2)
        return undefined;
      remove(element);
      return range;
    },
  },
  'paragraph more': {
    names: ['p'],
    edit: (element, range) => {
      insertAfter(element, '<p>A new paragraph.</p>');
      return at(range.end);
    },
  },
  'paragraph less': {
    names: ['p'],
    edit: (element, range, source) => {
      if (isBlank(element) || definesNote(source, range)) return undefined;
      remove(element);
      return range;
    },
  },
  'heading more': {
    names: ['p'],
    edit: (element, range) => {
      insertAfter(element, '<h3>New heading</h3>');
      return at(range.end);
    },
  },
  'picture less': {
    names: ['figure'],
    edit: (element, range) => {
      remove(element);
      return range;
    },
  },
  'column more': {
    names: ['table'],
    edit: (element, range) => {
      const rows = rowsOf(element);
      if (rows.length < 2 || !rows.every(isPlainRow)) return undefined;
      for (const row of rows) insert(row, row.childNodes.length, '<td>new</td>');
      return range;
    },
  },
  'cells merged': {
    names: ['td'],
    edit: (element, { start }) => {
      const next = siblings(element)
        .slice(siblings(element).indexOf(element) + 1)
        .find((node): node is Element => 'tagName' in node);
      const [, end] = /-(\d+)$/.exec((next && attribute(next, 'data-source')) ?? '') ?? [];
      if (!next || end === undefined || attribute(element, 'colspan') || attribute(next, 'colspan'))
        return undefined;
      element.attrs.push({ name: 'colspan', value: '2' });
      remove(next);
      return { start, end: Number(end) };
    },
  },
  'item within an item': {
    names: ['li'],
    edit: (element, range) => {
      if (element.childNodes.some(({ nodeName }) => /^(?:[uod]l|p|div|table)$/.test(nodeName)))
        return undefined;
      insert(element, element.childNodes.length, '<ul><li>new</li></ul>');
      return at(range.end);
    },
  },
  'paragraph pasted': {
    names: ['p'],
    edit: (element, range) => {
      insertAfter(
        element,
        '<p>Pasted <b>bold</b> <a rel="nofollow noopener" class="external text" href="https://example.org/x">link</a>.</p><ul><li>one</li><li>two</li></ul>',
      );
      return at(range.end);
    },
  },
  'paragraph split': {
    names: ['p'],
    edit: (element, range) => {
      const index = element.childNodes.findIndex((node) => 'value' in node && /\w\. [A-Z]/.test(node.value));
      const node = element.childNodes[index];
      if (!node || !('value' in node)) return undefined;
      const place = node.value.search(/(?<=\w\.) [A-Z]/);
      const rest = element.childNodes.splice(index + 1);
      insertAfter(element, `<p></p>`);
      const other = siblings(element)[siblings(element).indexOf(element) + 1] as Element;
      insert(
        other,
        0,
        node.value
          .slice(place + 1)
          .replaceAll('&', '&amp;')
          .replaceAll('<', '&lt;'),
      );
      for (const one of rest) one.parentNode = other;
      other.childNodes.push(...rest);
      node.value = node.value.slice(0, place);
      return range;
    },
  },
  'bold over a link': {
    names: ['p', 'li'],
    edit: (element, range) => (wrapLink(element, 'b') ? range : undefined),
  },
  'section less': {
    names: ['h2'],
    edit: (element, { start }, source) => {
      const section = sectionOf(element);
      const next = siblings(element)[siblings(element).indexOf(element) + section.length];
      const [, to] = /^(\d+)-/.exec((next && 'attrs' in next && attribute(next, 'data-source')) || '') ?? [];
      if (!to || section.some((node) => definesNote(source, { start, end: Number(to) }) && node))
        return undefined;
      for (const node of section) siblings(element).splice(siblings(element).indexOf(node), 1);
      return { start, end: Number(to) };
    },
  },
  'section moved': {
    names: ['h2'],
    edit: (element, _range, source) => {
      const section = sectionOf(element);
      const all = siblings(element);
      const next = all[all.indexOf(element) + section.length];
      if (!next || !('tagName' in next)) return undefined;
      const other = sectionOf(next);
      const to = all[all.indexOf(next) + other.length];
      if (!to || definesNote(source, { start: 0, end: source.length })) return undefined;
      all.splice(all.indexOf(element), section.length);
      all.splice(all.indexOf(to), 0, ...section);
      return { start: 0, end: source.length };
    },
  },
};

// Measuring -----------------------------------------------------------------------------------------------------------

/**
 * Elements that the page itself has, each with its range. Left out are calls and what is in them, and the line that a redirect
 * shows: nobody adds a paragraph to it, and without its link the page is no redirect.
 */
function elementsOf(parent: Parent, source: string, found: [Element, Range][] = []): [Element, Range][] {
  for (const node of parent.childNodes) {
    if (!('tagName' in node)) continue;
    const classes = attribute(node, 'class') ?? '';
    if (/\b(?:toc|mw-references-wrap|reference|redirect)\b/.test(classes)) continue;
    const [, start, end] = /^(\d+)-(\d+)$/.exec(attribute(node, 'data-source') ?? '') ?? [];
    const range = { start: Number(start), end: Number(end) };
    if (
      start !== undefined &&
      source.startsWith('{{', range.start) &&
      source.lastIndexOf('}}', range.end) === range.end - 2
    )
      continue;
    const inside = found.at(-1);
    if (start !== undefined) found.push([node, range]);
    else if (node.tagName === 'code' && inside) found.push([node, inside[1]]);
    elementsOf(node, source, found);
  }
  return found;
}

/**
 * Whether all bytes outside a part of the source are kept, but for line ends beside the part. Where something is added (an empty
 * part), it may stand anywhere before the next thing that shows: behind a comment or a call that shows nothing, too.
 */
function isExact(source: string, result: string, { start, end }: Range): boolean {
  if (start === end) return isAddition(source, result);
  return result.startsWith(source.slice(0, Math.max(0, start - 3))) && result.endsWith(source.slice(end + 3));
}

/** Whether a text is another with something put in at one place, and at most white space beside it less. */
function isAddition(source: string, result: string): boolean {
  let from = 0;
  while (from < source.length && source[from] === result[from]) from++;
  let to = source.length;
  while (to > from && source[to - 1] === result[to - 1 + result.length - source.length]) to--;
  return source.slice(from, to).trim() === '';
}

/** The first difference of two texts. */
function difference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const part = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 90));
  return `${part(one)}\n    not ${part(other)}`;
}

const counts = new Map<string, { edits: number; right: number; exact: number; examples: string[] }>();
for (const [number, source] of sourcesOf(place).entries()) {
  const html = shown(source);
  const random = chance(1, number);
  for (const [kind, { names, edit }] of Object.entries(kinds)) {
    if (only !== undefined && only !== kind) continue;
    const count = counts.get(kind) ?? { edits: 0, right: 0, exact: 0, examples: [] };
    counts.set(kind, count);
    const places = elementsOf(parseFragment(html), source).flatMap(([{ tagName }], index) =>
      names.includes(tagName) ? [index] : [],
    );
    for (let tried = 0, made = 0; made < Number(each) && tried < 10 && places.length > 0; tried++) {
      const tree = parseFragment(html);
      const [element, range] = elementsOf(tree, source)[random.pick(places)] ?? [];
      const touched = element && range && edit(element, range, source);
      if (!touched) continue;
      made++;
      const edited = serialize(tree);
      const result = toWikitext(edited, { rules, target, original: { source, html } });
      const isRight = seen(shown(result)) === seen(edited);
      const isOne = isRight && isExact(source, result, touched);
      count.edits++;
      if (isRight) count.right++;
      if (isOne) count.exact++;
      else if (count.examples.length < Number(process.env.EX ?? 4))
        count.examples.push(
          `page ${number}, ${isRight ? `other bytes\n    ${difference(result, source)}` : `looks otherwise\n    ${difference(seen(shown(result)), seen(edited))}`}`,
        );
    }
  }
}
const share = (part: number, all: number) => `${((part / all) * 100).toFixed(1)} %`.padStart(8);
for (const [kind, { edits, right, exact }] of counts)
  if (edits > 0)
    console.log(
      `${kind.padEnd(22)}${String(edits).padStart(6)}${share(right, edits)} right${share(exact, edits)} exact`,
    );
for (const [kind, { examples }] of counts) for (const example of examples) console.log(`${kind}: ${example}`);
