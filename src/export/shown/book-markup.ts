/**
 * Converts HTML of pages to the XHTML of books: only elements and attributes of HTML 5, each where the standard allows it.
 * Obsolete elements become their closest HTML 5 equivalent, or are replaced by their contents if they have none.
 */
import type { Element, ElementContent, Properties, Root } from 'hast';
import { toXast } from 'hast-util-to-xast';
import { toXml } from 'xast-util-to-xml';
import { BookIds, bookAddress, bookValue } from './book-values.ts';
import { changeElements } from './hast.ts';

const phrasing = new Set(
  'a abbr b bdi bdo br cite code data del dfn em i img ins kbd mark q rp rt ruby s samp small span strong sub sup time u var wbr'.split(
    ' ',
  ),
);
const blocks = new Set(
  'address article aside blockquote caption dd details div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);
const relatives: Readonly<Record<string, string>> = {
  center: 'div',
  font: 'span',
  big: 'span',
  tt: 'code',
  strike: 's',
  acronym: 'abbr',
  nav: 'div',
  header: 'div',
  footer: 'div',
  address: 'div',
  main: 'div',
  dir: 'ul',
  noscript: 'span',
  label: 'span',
  button: 'span',
  h7: 'h6',
};
/** Elements that are removed together with their contents. */
const dropped = new Set(
  'script style template iframe object embed audio video source track canvas form input select textarea svg col colgroup link meta'.split(
    ' ',
  ),
);
const everywhere = new Set(['id', 'className', 'title', 'lang', 'dir', 'style']);
const some: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  img: ['src', 'alt', 'width', 'height'],
  time: ['dateTime'],
  li: ['value'],
  ol: ['start', 'reversed'],
  td: ['colSpan', 'rowSpan'],
  th: ['colSpan', 'rowSpan', 'scope'],
  blockquote: ['cite'],
  q: ['cite'],
  del: ['dateTime'],
  ins: ['dateTime'],
  details: ['open'],
};
/** Parent elements and the children they may have. */
const children: Readonly<Record<string, readonly string[]>> = {
  ul: ['li'],
  ol: ['li'],
  dl: ['dt', 'dd'],
  tr: ['td', 'th'],
  table: ['caption', 'thead', 'tbody', 'tfoot'],
  thead: ['tr'],
  tbody: ['tr'],
  tfoot: ['tr'],
};

/** Changes the tree in place so that it only has elements that EPUB allows. Returns its IDs, old and new. */
export function makePlain(tree: Root): BookIds {
  const ids = new BookIds();
  changeElements(tree, (element) => plainElement(element, ids), 'math');
  const root: Element = { type: 'element', tagName: 'div', properties: {}, children: [] };
  root.children = tree.children as ElementContent[];
  ordered(root);
  return ids;
}

/** Serializes a plain tree as XHTML. */
export function bookMarkup(tree: Root): string {
  return tree.children.map((child) => toXml(toXast(child, { space: 'html' }))).join('');
}

function plainElement(element: Element, ids: BookIds): ElementContent | ElementContent[] {
  const tagName = relatives[element.tagName] ?? element.tagName;
  if (tagName === 'math') return formula(element);
  if (dropped.has(tagName)) return [];
  if (!phrasing.has(tagName) && !blocks.has(tagName))
    return [{ ...element, tagName: 'span', properties: {} }];
  const properties: Properties = {};
  for (const [name, value] of Object.entries(element.properties)) {
    if (!everywhere.has(name) && !some[tagName]?.includes(name)) continue;
    const plain = name === 'id' ? ids.add(String(value)) : bookValue(name, value);
    if (plain !== undefined) properties[name] = plain;
  }
  // Without a date or a direction these two may not stand.
  if ((tagName === 'time' && !properties.dateTime) || (tagName === 'bdo' && !properties.dir))
    return { ...element, tagName: 'span', properties };
  if (tagName === 'img' && typeof properties.src !== 'string')
    return { type: 'text', value: typeof properties.alt === 'string' ? properties.alt : '' };
  if (tagName === 'img') properties.alt ??= '';
  if (typeof properties.href === 'string') {
    // Browsers accept characters that RFC 3986 forbids.
    const href = bookAddress(properties.href);
    if (href === undefined) delete properties.href;
    else properties.href = href;
  }
  return { ...element, tagName, properties };
}

/** Reduces a formula to Presentation MathML, without extensions that only browsers support. */
function formula(math: Element): Element {
  const tree: Root = { type: 'root', children: math.children };
  changeElements(tree, (element) => {
    if (element.tagName === 'semantics')
      return element.children.filter(
        (child): child is Element => child.type === 'element' && child.tagName !== 'annotation',
      );
    if (element.tagName === 'annotation') return [];
    if (!mathElement.test(element.tagName)) return element.children;
    return { ...element, properties: mathProperties(element.properties) };
  });
  const { display } = math.properties;
  return {
    ...math,
    properties: { xmlns: 'http://www.w3.org/1998/Math/MathML', ...(display === 'block' ? { display } : {}) },
    children: tree.children as ElementContent[],
  };
}

const mathElement = /^(?:m[a-z]+)$/;
const mathNames = new Set(
  'mathvariant mathVariant stretchy columnalign columnAlign fence separator form width height depth lspace rspace linethickness lineThickness displaystyle scriptlevel accent rowspacing columnspacing open close notation'.split(
    ' ',
  ),
);

function mathProperties(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => mathNames.has(name)));
}

/**
 * Puts each child where the standard allows it. Works from the bottom up, so that an element that became a block is treated as
 * a block.
 */
function ordered(element: Element): void {
  const path: { node: Element; next: number }[] = [{ node: element, next: 0 }];
  for (let at = path.at(-1); at; at = path.at(-1)) {
    const child = at.node.children[at.next++];
    if (child?.type === 'element') {
      if (child.tagName !== 'math') path.push({ node: child, next: 0 });
    } else if (child === undefined) {
      path.pop();
      settle(at.node);
    }
  }
}

/** Elements that may stand in these parents only, and what they are elsewhere. */
const placed: Readonly<Record<string, { within: readonly string[]; instead: string }>> = {
  li: { within: ['ul', 'ol'], instead: 'div' },
  dt: { within: ['dl'], instead: 'div' },
  dd: { within: ['dl'], instead: 'div' },
  figcaption: { within: ['figure'], instead: 'div' },
  summary: { within: ['details'], instead: 'div' },
  caption: { within: ['table'], instead: 'div' },
  rt: { within: ['ruby'], instead: 'span' },
  rp: { within: ['ruby'], instead: 'span' },
};
/** Order of the parts of a table (HTML 5 §4.9.1). */
const parts = ['caption', 'thead', 'tbody', 'tfoot'];

function settle(node: Element): void {
  place(node);
  const allowed = children[node.tagName];
  if (allowed) {
    const last = allowed.at(-1) ?? 'li';
    const held: ElementContent[] = [];
    for (const child of node.children) {
      if (child.type === 'text' && child.value.trim() === '') continue;
      if (child.type === 'comment') continue;
      if (child.type === 'element' && allowed.includes(child.tagName)) held.push(child);
      else held.push({ type: 'element', tagName: last, properties: {}, children: [child] });
    }
    node.children = node.tagName === 'table' ? inTableOrder(held) : held;
    if (node.tagName !== 'dl') return;
    // A description list needs terms with descriptions; a list that only indents its items has no terms.
    const isWhole = held.some(isTerm) && isTerm(held[0]) && !isTerm(held.at(-1));
    if (isWhole) return;
    node.tagName = 'div';
    for (const child of held) if (child.type === 'element') child.tagName = 'div';
    return;
  }
  const hasBlock = node.children.some((child) => child.type === 'element' && !isPhrasing(child));
  if (!hasBlock) return;
  if (node.tagName === 'a') {
    node.tagName = 'div';
    delete node.properties.href;
  } else if (phrasing.has(node.tagName)) node.tagName = 'div';
  else if (/^(?:h\d|p|pre|dt|summary|caption)$/.test(node.tagName))
    for (const child of node.children) if (child.type === 'element' && !isPhrasing(child)) flatten(child);
}

/** Replaces children that may not stand here, and parents that lack what they need. */
function place(node: Element): void {
  const elements = node.children.filter((child) => child.type === 'element');
  for (const child of elements) {
    const rule = placed[child.tagName];
    if (rule && !rule.within.includes(node.tagName)) Object.assign(child, { tagName: rule.instead });
  }
  if (node.tagName === 'ruby' && !elements.some(({ tagName }) => tagName === 'rt')) node.tagName = 'span';
  const single = { details: 'summary', figure: 'figcaption' }[node.tagName];
  if (single === undefined) return;
  const [first, ...others] = elements.filter(({ tagName }) => tagName === single);
  for (const other of others) other.tagName = 'div';
  if (first) node.children = [first, ...node.children.filter((child) => child !== first)];
  else if (node.tagName === 'details') node.tagName = 'div';
}

/** One caption, one head and one foot; others become bodies. */
function inTableOrder(children: readonly ElementContent[]): ElementContent[] {
  const held = children.filter((child) => child.type === 'element');
  for (const name of ['thead', 'tfoot'])
    for (const other of held.filter(({ tagName }) => tagName === name).slice(1)) other.tagName = 'tbody';
  const [caption, ...captions] = held.filter(({ tagName }) => tagName === 'caption');
  caption?.children.push(...captions.flatMap((other) => other.children));
  return held
    .filter((child) => !captions.includes(child))
    .toSorted((a, b) => parts.indexOf(a.tagName) - parts.indexOf(b.tagName));
}

function isTerm(child: ElementContent | undefined): boolean {
  return child?.type === 'element' && child.tagName === 'dt';
}

function isPhrasing({ tagName }: Element): boolean {
  return phrasing.has(tagName) || tagName === 'math';
}

/** Replaces blocks by their contents where only phrasing content is allowed. */
function flatten(element: Element): void {
  const waiting = [element];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (!isPhrasing(node)) Object.assign(node, { tagName: 'span', properties: {} });
    for (const child of node.children)
      if (child.type === 'element' && child.tagName !== 'math') waiting.push(child);
  }
}

export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
