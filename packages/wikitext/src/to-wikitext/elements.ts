/** Maps HTML elements to wikitext, as far as names and attributes determine it. */

import type { Rules } from '../options.ts';
import { allowedElements } from '../sanitize.ts';
import { escapeAttribute } from './escape.ts';
import { type HtmlElement, type HtmlNode, hasClass, jsonOf, stringAt } from './html-tree.ts';

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

export const lists = words('ul ol dl');
export const headings = words('h1 h2 h3 h4 h5 h6');
const blocks = words(
  'blockquote caption center dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre summary table tbody td tfoot th thead tr ul',
);
/** Scripts, controls and embedded content, which contain no text of the page. */
const dropped = words(
  'applet area audio base button canvas colgroup col datalist dialog embed frame frameset head iframe input map noembed noframes noscript object option optgroup param picture progress script select source style svg template textarea title track video',
);
/** Boxes without a counterpart in wikitext. A box that holds only text is written as a paragraph. */
const boxes = words(
  'address article aside body fieldset footer form header hgroup html legend main menu nav search section',
);

/** Whether nothing is written for an element and its content: scripts, controls, hidden parts, and additions of the renderer. */
export function isDropped({ name, attributes }: HtmlElement): boolean {
  if (/^mw:(?:Extension|Transclusion|Placeholder)/.test(attributes.typeof ?? '')) return false;
  // Classes of elements that the renderer adds and that are not in the source.
  const isAdded = / (?:toc|wikitext-notice|mw-editsection|mw-cite-backlink|galleryfilename) /.test(
    ` ${attributes.class ?? ''} `,
  );
  return dropped.has(name) || attributes.hidden !== undefined || isAdded || attributes.id === 'toc';
}

/** Whether an element is a box without a counterpart in wikitext, such as `<section>`. */
export function isBox({ name }: HtmlElement): boolean {
  return boxes.has(name);
}

/** Elements that may be written as tags. */
export function mayBeTag({ name }: HtmlElement, rules: Rules): boolean {
  return allowedElements.has(name) || rules.moreElements?.has(name) === true;
}

/** Caches which elements are blocks or contain one. */
export class Blocks {
  readonly #known = new WeakMap<HtmlElement, boolean>();

  has(node: HtmlNode): boolean {
    if (node.type !== 'element') return false;
    let known = this.#known.get(node);
    if (known === undefined) {
      known = isOwnBlock(node) ?? node.children.some((child) => this.has(child));
      this.#known.set(node, known);
    }
    return known;
  }
}

/** Returns undefined if it depends on the contents. */
function isOwnBlock(node: HtmlElement): boolean | undefined {
  const type = node.attributes.typeof ?? '';
  if (/\bmw:Extension\/(?:ref|indicator|math|style)\b/.test(type)) return false;
  if (/\bmw:Extension\b/.test(type)) return blocks.has(node.name);
  if (node.name === 'link' || node.name === 'meta') return false;
  if (hasClass(node, 'mw-highlight')) return true;
  if (isDropped(node)) return false;
  return blocks.has(node.name) || boxes.has(node.name) ? true : undefined;
}

/** Elements that are written with apostrophes. */
export function emphasisOf(node: HtmlElement, known: Blocks): 'bold' | 'italic' | undefined {
  const isBold = node.name === 'b' || node.name === 'strong';
  if (!isBold && node.name !== 'i' && node.name !== 'em') return undefined;
  if (wasTag(node) || attributesOf(node) !== '' || known.has(node)) return undefined;
  return isBold ? 'bold' : 'italic';
}

/** Attributes that describe an element's origin and never occur in source. */
const ownAttributes = words(
  'about data-source data-parsoid data-mw data-mw-variant data-x typeof rel property content resource datatype data-mw-section-id data-object-id',
);

/** Returns attributes as wikitext: ` class="a"`. Names in `but` are left out. */
export function attributesOf(node: HtmlElement, ...but: string[]): string {
  let out = '';
  for (const name of Object.keys(node.attributes)) {
    if (
      ownAttributes.has(name) ||
      but.includes(name) ||
      !/^[a-z_][\w:.-]*$/i.test(name) ||
      name.startsWith('on')
    )
      continue;
    if (name === 'class' && node.attributes.class === 'mw-empty-elt') continue;
    if (name === 'id' && /^mw[\w-]{2,6}$/.test(node.attributes.id ?? '')) continue;
    const value = asWritten(node, name) ?? escapeAttribute(node.attributes[name] ?? '');
    out += ` ${name}="${value}"`;
  }
  return out;
}

/** Returns the source of an attribute as Parsoid recorded it; undefined if the value has changed since. */
export function asWritten(node: HtmlElement, name: string): string | undefined {
  const parsoid = jsonOf(node, 'data-parsoid');
  const now = stringAt(parsoid, 'a', name);
  return now !== undefined && now === node.attributes[name] ? stringAt(parsoid, 'sa', name) : undefined;
}

/** Whether the source had this element as an HTML tag, according to Parsoid's record. */
export function wasTag(node: HtmlElement): boolean {
  return stringAt(jsonOf(node, 'data-parsoid'), 'stx') === 'html';
}

/** Whether an editor added this element, so that Parsoid recorded nothing about it. */
export function isNew(node: HtmlElement): boolean {
  return node.attributes['data-parsoid'] === undefined;
}
