/**
 * Converts HTML of pages to the XHTML of books: only elements and attributes of HTML 5, each where the standard allows it.
 * Obsolete elements become their closest HTML 5 equivalent, or are replaced by their contents if they have none.
 */
import type { Element, ElementContent, Properties, Root } from 'hast';
import { toXast } from 'hast-util-to-xast';
import { toXml } from 'xast-util-to-xml';
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
  ...{ center: 'div', font: 'span', big: 'span', tt: 'code', strike: 's', acronym: 'abbr', nav: 'div' },
  ...{ main: 'div', dir: 'ul', noscript: 'span', label: 'span', button: 'span', h7: 'h6' },
};
/** Elements that are removed together with their contents. */
const dropped = new Set(
  'script style template iframe object embed audio video source track canvas form input select textarea svg col colgroup link meta'.split(
    ' ',
  ),
);
const everywhere = new Set(['id', 'className', 'title', 'lang', 'dir', 'style']);
const some: Readonly<Record<string, readonly string[]>> = {
  ...{ a: ['href'], img: ['src', 'alt', 'width', 'height'], time: ['dateTime'], li: ['value'] },
  ...{ ol: ['start', 'reversed'], td: ['colSpan', 'rowSpan'], th: ['colSpan', 'rowSpan', 'scope'] },
  ...{ blockquote: ['cite'], q: ['cite'], del: ['dateTime'], ins: ['dateTime'], details: ['open'] },
};
/** Parent elements and the children they may have. */
const children: Readonly<Record<string, readonly string[]>> = {
  ...{ ul: ['li'], ol: ['li'], dl: ['dt', 'dd'], tr: ['td', 'th'] },
  ...{ table: ['caption', 'thead', 'tbody', 'tfoot'], thead: ['tr'], tbody: ['tr'], tfoot: ['tr'] },
};

/** Changes the tree in place so that it only has elements that EPUB allows. */
export function makePlain(tree: Root): void {
  const seen = new Set<string>();
  changeElements(tree, (element) => plainElement(element, seen), 'math');
  const root: Element = { type: 'element', tagName: 'div', properties: {}, children: [] };
  root.children = tree.children as ElementContent[];
  ordered(root);
}

/** Serializes a plain tree as XHTML. */
export function bookMarkup(tree: Root): string {
  return tree.children.map((child) => toXml(toXast(child, { space: 'html' }))).join('');
}

function plainElement(element: Element, seen: Set<string>): ElementContent | ElementContent[] {
  const tagName = relatives[element.tagName] ?? element.tagName;
  if (tagName === 'math') return formula(element);
  if (dropped.has(tagName)) return [];
  if (!phrasing.has(tagName) && !blocks.has(tagName))
    return [{ ...element, tagName: 'span', properties: {} }];
  const properties: Properties = {};
  for (const [name, value] of Object.entries(element.properties)) {
    if (!everywhere.has(name) && !some[tagName]?.includes(name)) continue;
    // IDs must be unique in a document and contain no spaces (HTML 5 §3.2.6).
    if (name === 'id' && (typeof value !== 'string' || /\s|^$/.test(value) || seen.has(value))) continue;
    if (name === 'id') seen.add(String(value));
    if ((name === 'width' || name === 'height') && !/^\d+$/.test(String(value))) continue;
    if (name === 'dateTime' && !/^\d{4}-\d\d-\d\d/.test(String(value))) continue;
    if (name === 'style' && !/^[\w\s:;#%.,()-]*$/.test(String(value))) continue;
    properties[name] = value;
  }
  if (tagName === 'img' && typeof properties.src !== 'string')
    return { type: 'text', value: typeof properties.alt === 'string' ? properties.alt : '' };
  if (tagName === 'img') properties.alt ??= '';
  // Browsers accept characters that RFC 3986 forbids, so they are escaped.
  if (typeof properties.href === 'string')
    properties.href = properties.href
      .replace(/[\s"<>\\^`{|}[\]]/g, encodeURIComponent)
      .replace(/#.*$/s, (fragment) => fragment.replaceAll('?', '%3F'));
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

function settle(node: Element): void {
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
    node.children = held;
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
