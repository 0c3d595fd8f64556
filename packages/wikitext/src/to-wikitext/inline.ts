/** Inline content: text, emphasis, links, tags, and invisible elements such as categories. */
import { voidElements } from '../sanitize.ts';
import { asWritten, attributesOf, emphasisOf, isDropped, mayBeTag } from './elements.ts';
import { boldClose, boldOpen, italicClose, italicOpen, withoutPlaceholders } from './emphasis.ts';
import { comment, escapeText } from './escape.ts';
import { extension, isExtension, isTransclusion, transclusion } from './extension.ts';
import { type HtmlElement, type HtmlNode, jsonOf, stringAt, textOf } from './html-tree.ts';
import { joined } from './joined.ts';
import { isBookNumber, isFreeUrl, isOwnLabel, linkTo, titleOf } from './links.ts';
import { isMedia, media } from './media.ts';
import { isNote } from './notes.ts';
import { codeTag } from './one-line.ts';
import type { Place, Writing } from './writing.ts';

/** Writes inline content, with the source of what was not edited. */
export function inline(writer: Writing, nodes: readonly HtmlNode[], place: Place): void {
  const shown = joined(writer, nodes, place);
  for (const [index, node] of shown.entries()) {
    if (node.type === 'text') text(writer, node.value, place, index < shown.length - 1);
    else if (node.type === 'comment') writer.out.putTransparent(comment(node.value));
    else if (!writer.isSkipped(node) && !writer.putKept(node)) element(writer, node, place);
  }
}

function text(writer: Writing, value: string, place: Place, goesOn: boolean): void {
  const { out, options } = writer;
  const { rules, keepsAddresses } = options;
  let words = withoutPlaceholders(value.replace(/\r\n?/g, '\n'));
  if (place.isPre) {
    for (const [index, line] of words.split('\n').entries()) {
      if (index > 0) out.put('\n ');
      if (line !== '') out.put(escapeText(line, { rules, isLineStart: false, keepsIndent: true }));
    }
    return;
  }
  words = words.replace(/(?<![ \t])[ \t]*\n[ \t\n]*/g, place.isOneLine ? ' ' : '\n');
  if (out.isEmpty || /[\s]$/.test(out.tail))
    words = words.replace(out.isLineStart || out.isEmpty ? /^[ \n]+/ : /^\n+/, '');
  if (words === '') return;
  // The renderer adds these no-break spaces itself.
  words = words.replace(/\u00a0(?=[?:;!%»›](?!\w))/g, ' ').replace(/([«‹])\u00a0/g, '$1 ');
  const escaped = escapeText(words, {
    rules,
    inLink: place.inLink,
    inTerm: place.inTerm,
    inCell: out.cellLine,
    isAfterBar: out.cellLine !== undefined && /\n\|$/.test(out.tail),
    hasOpenBrackets: out.hasOpenBrackets,
    goesOn,
    keepsAddresses: keepsAddresses ?? false,
    isLineStart: out.isLineStart && !place.isOneLine,
    keepsIndent: place.keepsIndent ?? false,
  });
  out.hasOpenBrackets = opensBrackets(escaped, out.hasOpenBrackets);
  out.put(escaped.replaceAll('\u00a0', '&nbsp;'));
}

/** Whether a `[[` is still open at the end of this text. */
function opensBrackets(text: string, wereOpen: boolean): boolean {
  const bare = text.replace(/<nowiki>.*?<\/nowiki>/gs, '');
  const open = bare.lastIndexOf('[[');
  return open > bare.lastIndexOf(']]') || (wereOpen && !bare.includes(']]'));
}

function element(writer: Writing, node: HtmlElement, place: Place): void {
  const { out } = writer;
  const { name, children } = node;
  const type = node.attributes.typeof ?? '';
  if (isTransclusion(node)) transclusion(writer, node);
  else if (isExtension(node)) extension(writer, node);
  else if (/\bmw:Nowiki\b/.test(type)) {
    const inside = children.map(sourceOf).join('');
    if (inside === '') out.put('<nowiki/>');
    else out.put(`<nowiki>${inside}</nowiki>`);
  } else if (/\bmw:Entity\b/.test(type)) out.put(sourceOf(node));
  else if (/\bmw:DisplaySpace\b/.test(type)) out.put(' ');
  else if (/\bmw:(?:FallbackId|Placeholder)\b/.test(type)) return;
  else if (isMedia(node)) media(writer, node, place);
  else if (name === 'link' || name === 'meta') switchOrTag(writer, node);
  else if (isDropped(node)) return;
  else if (name === 'a') link(writer, node, place);
  else if (name === 'br' || name === 'wbr') {
    out.put(`<${name}${attributesOf(node)}${name === 'br' ? ' /' : ''}>`);
  } else if (emphasis(writer, node, place)) return;
  else if (isNote(node)) writer.note(node);
  else if (name === 'code' && /\blanguage-/.test(node.attributes.class ?? '')) {
    const language = /\blanguage-([\w+#.-]+)/.exec(node.attributes.class ?? '')?.[1] ?? '';
    out.put(`<syntaxhighlight lang="${language}" inline>${textOf(node)}</syntaxhighlight>`);
  } else tag(writer, node, place);
}

function emphasis(writer: Writing, node: HtmlElement, place: Place): boolean {
  const mark = emphasisOf(node, writer.blocks);
  if (mark === undefined) return false;
  writer.out.put(mark === 'bold' ? boldOpen : italicOpen);
  inline(writer, node.children, { ...place, isOneLine: !place.isPre, inTerm: false });
  writer.out.put(mark === 'bold' ? boldClose : italicClose);
  return true;
}

/** Writes an element as a tag, or only its contents if wikitext has no such tag. */
function tag(writer: Writing, node: HtmlElement, place: Place): void {
  const { out } = writer;
  const { name, children } = node;
  const attributes = attributesOf(node);
  const code = place.isOneLine ? codeTag(node) : undefined;
  if (code !== undefined) {
    out.put(code);
    return;
  }
  if (!mayBeTag(node, writer.rules)) {
    if (writer.blocks.has(node)) out.put(' ');
    inline(writer, children, place);
    return;
  }
  const parsoid = jsonOf(node, 'data-parsoid');
  if (parsoid?.autoInsertedStart !== true) out.put(`<${name}${attributes}>`);
  if (voidElements.has(name)) return;
  inline(writer, children, { ...place, inTerm: false });
  if (parsoid?.autoInsertedEnd !== true) out.put(`</${name}>`);
}

/** Returns the source of a node that Parsoid annotated, such as a character reference. */
function sourceOf(node: HtmlNode): string {
  if (node.type === 'text') return node.value.replace(/&(?=#?\w{1,40};)/g, '&amp;');
  if (node.type === 'comment') return '';
  const text = textOf(node);
  if (/\bmw:DisplaySpace\b/.test(node.attributes.typeof ?? '')) return ' ';
  if (!/\bmw:Entity\b/.test(node.attributes.typeof ?? '')) return node.children.map(sourceOf).join('');
  const parsoid = jsonOf(node, 'data-parsoid');
  const source = stringAt(parsoid, 'src');
  if (source !== undefined && stringAt(parsoid, 'srcContent') === text) return source;
  return text === '\u00a0' ? '&nbsp;' : text.replace(/[<>&]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

// Links ---------------------------------------------------------------------------------------------------------------

function link(writer: Writing, node: HtmlElement, place: Place): void {
  const { out } = writer;
  const to = linkTo(node, writer.options);
  if (place.inLink && place.inLink !== 'file') {
    inline(writer, node.children, place);
    return;
  }
  if (isBookNumber(node) && writer.rules.letters) {
    if (/[\p{L}\p{N}_]$/u.test(out.tail) && !out.isEmpty) out.put('<nowiki/>');
    out.put(node.children.map(sourceOf).join(''), /\w$/.test(textOf(node)) ? 'number' : '');
    return;
  }
  if (to.kind === 'none' || node.attributes.href === undefined) inline(writer, node.children, place);
  else if (to.kind === 'url') externalLink(writer, node, to.url, place);
  else pageLink(writer, node, to.target, place);
}

function externalLink(writer: Writing, node: HtmlElement, url: string, place: Place): void {
  const { out } = writer;
  const own = textOf(node);
  const isPlain = node.children.every((child) => child.type === 'text');
  if (isPlain && (own === node.attributes.href || own === url) && isFreeUrl(url) && place.inLink !== 'page') {
    if (/[\p{L}\p{N}_[]$/u.test(out.tail)) out.put('<nowiki/>');
    out.put(url, url.includes('(') ? 'url(' : 'url');
    return;
  }
  const isNumbered =
    /\b(?:autonumber|numbered)\b/.test(node.attributes.class ?? '') && /^(?:\[\d+\])?$/.test(own);
  const label = isNumbered
    ? ''
    : out.capture(() => inline(writer, node.children, { ...place, isOneLine: true, inLink: 'external' }));
  out.put(label.trim() === '' ? `[${url}]` : `[${url} ${label.trim()}]`);
  // A space at the end of the label is written after the link.
  if (/\S\s+$/.test(label)) out.put(' ');
}

function pageLink(writer: Writing, node: HtmlElement, target: string, place: Place): void {
  const { out, rules } = writer;
  const isPlain = node.children.every((child) => child.type === 'text');
  const own = textOf(node);
  const tail = stringAt(jsonOf(node, 'data-parsoid'), 'tail') ?? '';
  const label = out.capture(() =>
    inline(writer, node.children, { ...place, isOneLine: true, inLink: 'page' }),
  );
  const hasTail = tail !== '' && label.endsWith(tail);
  const shown = hasTail ? label.slice(0, -tail.length) : label;
  const isWritten = asWritten(node, 'href') !== undefined;
  const isOwn =
    isPlain &&
    !isWritten &&
    isOwnLabel(own, target) &&
    !/[[\]|{}<>\n]|%[0-9a-f]{2}|&#?\w+;|^\s|\s$/i.test(own);
  let page = isOwn ? own : target;
  if (/[[\]{}|<>\n]/.test(page.replace(/#.*$/s, ''))) {
    out.put(label);
    return;
  }
  const { kind } = rules.link(page, !isOwn, () => undefined);
  if (
    !/^:?Media:/i.test(page) &&
    node.attributes.rel !== 'mw:MediaLink' &&
    (kind === 'file' || kind === 'media' || kind === 'marker')
  )
    page = `:${page}`;
  // A bracket directly before the link would be read as part of the link's brackets.
  if (/(?:^|[^[])(?:\[\[)*\[$/.test(out.tail)) out.put('<nowiki/>');
  const isSame =
    isOwn || shown.trim() === '' || (isWritten && isPlain && isOwnLabel(hasTail ? shown : own, target));
  // A link without a label would show its target, so an empty label or a space is written out.
  const blank = own === '' ? '<nowiki/>' : ' ';
  const bar = shown.trim() === '' ? `|${shown || blank}` : isSame ? '' : `|${shown}`;
  out.put(`[[${page}${bar}]]`, hasTail ? '' : 'link');
  if (hasTail) out.put(tail, 'link');
}

/** Writes `<link rel="mw:PageProp/Category">` and similar elements. */
function switchOrTag(writer: Writing, node: HtmlElement): void {
  const written = invisible(writer, node);
  if (written !== undefined) writer.out.putTransparent(written);
}

/** Returns the tag for which Parsoid wrote a marker: `<noinclude>`, and `<includeonly>` with its contents. */
export function includeMarker(node: HtmlElement): string | undefined {
  const type = /^mw:Includes\/(NoInclude|OnlyInclude|IncludeOnly)(\/End)?$/.exec(
    node.attributes.typeof ?? '',
  );
  if (!type) return undefined;
  const name = (type[1] ?? '').toLowerCase();
  if (name !== 'includeonly') return `<${type[2] ? '/' : ''}${name}>`;
  const source = stringAt(jsonOf(node, 'data-mw'), 'src') ?? stringAt(jsonOf(node, 'data-parsoid'), 'src');
  return !type[2] && source && /^<includeonly>.*<\/includeonly>$/is.test(source) ? source : '';
}

/** Returns the wikitext of an invisible element; undefined if the element has no meaning. */
export function invisible(writer: Writing, node: HtmlElement): string | undefined {
  const marker = includeMarker(node);
  if (marker !== undefined) return marker;
  const { rel = '', href = '', property = '', content = '' } = node.attributes;
  if (rel === 'mw:PageProp/Category') {
    const written = asWritten(node, 'href');
    const [page = '', ...sort] = titleOf(href).split('#');
    return written !== undefined
      ? `[[${written}]]`
      : `[[${page}${sort.length > 0 ? `|${sort.join('#')}` : ''}]]`;
  }
  if (rel === 'mw:PageProp/Language') {
    const target = asWritten(node, 'href') ?? writer.options.interwiki?.(href);
    return target === undefined ? undefined : `[[${target.replace(/^:/, '')}]]`;
  }
  if (rel === 'mw:PageProp/redirect') {
    const target = /^(?:[a-z]+:|\/\/)/i.test(href) ? writer.options.interwiki?.(href) : titleOf(href);
    if (target === undefined) return undefined;
    const isCategory = writer.rules.link(target, false, () => undefined).kind === 'marker';
    return `#REDIRECT [[${isCategory ? ':' : ''}${target}]]`;
  }
  const name = /^mw:PageProp\/(\w+)$/.exec(property)?.[1];
  if (name === undefined) return undefined;
  const source = stringAt(jsonOf(node, 'data-parsoid'), 'src');
  if (source !== undefined) return source;
  if (name === 'categorydefaultsort') return `{{DEFAULTSORT:${content}}}`;
  return `__${name.toUpperCase()}__`;
}
