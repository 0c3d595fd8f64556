/** Inline content: emphasis, links, pictures, notes, formulas, the wiki's own spans, and plain text. */
import type { Attributes, Node, Range } from '@coppice/wikitext';
import {
  Builder,
  type Context,
  extensionNode,
  isBlockNode,
  mayLink,
  placeAt,
  readAnyAttributes,
  readText,
} from '@coppice/wikitext/build';
import type { Token } from 'markdown-it';
import { emoji } from './emoji.ts';
import { type Anchor, writeHtml } from './html.ts';
import type { Addresses, LinkTarget } from './links.ts';
import { altOf, attribute, attributesOf, emptyText, noteNode, onlyLine } from './nodes.ts';
import type { PlacedToken } from './parser.ts';
import type { Lines, Place } from './positions.ts';
import { linksIn } from './rules/addresses.ts';
import type { AttributeMeta } from './rules/attributes.ts';
import { hashtagsIn } from './rules/hashtags.ts';
import { hasSpan, piecesOf, restore, type Span, withoutGuards } from './spans.ts';
import { readLink, readPicture } from './wiki-links.ts';

/** A source in which spans were replaced by placeholders, with the results of its calls. */
export type Source = {
  text: string;
  spans: readonly Span[];
  /** Wikitext for each call, by span number. Undefined before templates are expanded; calls then become nodes. */
  calls: ReadonlyMap<number, string> | undefined;
  lines: Lines;
};

/** Texts of notes by name, and the names that the page and other notes refer to. */
export type Notes = { texts: Map<string, Node[]>; onPage: Set<string>; inNotes: Set<string> };

/** State shared by all parts of one text. */
export type PageParts = {
  context: Context;
  source: Source;
  addresses: Addresses;
  notes: Notes;
  /** Whether this is the text of a note, which cannot define further notes. */
  isNote: boolean;
};

/**
 * Characters that all addresses of a page may always have together, as in CommonMark's reference implementation. Longer pages
 * may have more.
 */
const minAddresses = 100_000;

const elements: Readonly<Record<string, string>> = {
  em: 'em',
  strong: 'strong',
  s: 'del',
  mark: 'mark',
  sub: 'sub',
  sup: 'sup',
};

/** An attribute in braces, as written. */
function statedAttribute({ meta }: Token, name: string): string | undefined {
  const { attributes = '' } = (meta ?? {}) as AttributeMeta;
  return attributes === '' ? undefined : readAnyAttributes(attributes)[name];
}

function opensWindow(token: Token): boolean {
  return statedAttribute(token, 'target') === '_blank';
}

export class Phrases {
  readonly context: Context;
  readonly builder: Builder;
  readonly #page: PageParts;
  /** Number of open links. Links do not nest. */
  #links = 0;
  /** Total length of all addresses so far, in characters. */
  #addressLength = 0;
  /** For each open HTML `<a>`: whether it became a link or, lacking an address, an anchor. */
  readonly #anchors: ('link' | 'span')[] = [];

  constructor(page: PageParts, builder: Builder) {
    this.context = page.context;
    this.builder = builder;
    this.#page = page;
  }

  /** Writes an inline formula or a formula block. */
  formula(token: Token, start: number, end: number): void {
    const { isDisplay } = token.meta as { isDisplay: boolean };
    const attributes: Attributes = isDisplay ? { display: 'block' } : {};
    const formula = { name: 'math', attributes, body: this.raw(token.content) };
    this.builder.leaf(extensionNode(formula, { start, end }), isDisplay);
  }

  /** `place` maps content offsets to source offsets. */
  phrase(tokens: readonly PlacedToken[], place: Place): void {
    let text = '';
    let start = 0;
    const flush = () => {
      if (text !== '') this.text(text, start);
      text = '';
    };
    for (const token of tokens) {
      if (token.type === 'text' || token.type === 'softbreak') {
        if (text === '') start = place.offset(token.at ?? 0);
        text += token.type === 'softbreak' ? '\n' : token.content;
        continue;
      }
      flush();
      this.#phraseToken(token, place);
    }
    flush();
  }

  #phraseToken(token: PlacedToken, place: Place): void {
    const at = place.offset(token.at ?? 0);
    const end = token.end === undefined ? at : place.offset(token.end);
    switch (token.type) {
      case 'text_special':
        // An escape or entity is a literal character and never part of an address or emoji name.
        this.builder.characters(token.content, at, end);
        break;
      case 'hardbreak':
        this.builder.open('br', { start: at, end });
        this.builder.characters('\n', end, end);
        break;
      case 'code_inline':
        this.#code(token, at, end);
        break;
      case 'html_inline':
        writeHtml(this, token.content, at);
        break;
      case 'link_open':
        this.openLink(
          {
            address: this.raw(attribute(token, 'href')),
            title: this.#titleOf(token),
            opensWindow: opensWindow(token),
          },
          { start: at, end: at },
        );
        break;
      case 'link_close':
        this.closeLink(at, end);
        break;
      case 'image':
        this.#image(token, at, end);
        break;
      case 'note':
        this.#note(token, at, end, place);
        break;
      case 'formula':
        this.formula(token, at, end);
        break;
      case 'comment':
      case 'attributes':
        break;
      default:
        this.#emphasis(token, at);
    }
  }

  #code(token: Token, start: number, end: number): void {
    const { content, markup } = token;
    // A space at both ends may be left out.
    const space = end - start - 2 * markup.length > content.length ? 1 : 0;
    const from = start + markup.length + space;
    this.builder.open('code', { start, end }, attributesOf(token, 'code'));
    this.builder.characters(this.raw(content), from, from + content.length);
    this.builder.close('code', end, end);
  }

  #emphasis(token: Token, at: number): void {
    const name = elements[token.type.replace(/_(?:open|close)$/, '')];
    if (name === undefined) return;
    const { length } = token.markup;
    if (token.nesting === 1) {
      // The second of two stars has become the token.
      const start = name === 'strong' ? at + 1 - length : at;
      this.builder.open(name, { start, end: start + length }, attributesOf(token, name));
    } else this.builder.close(name, at, at + length);
  }

  #titleOf(token: Token): string | undefined {
    const title = attribute(token, 'title');
    return title === '' ? statedAttribute(token, 'title') : this.raw(title);
  }

  /** A link whose address is not allowed is replaced by its label. */
  openLink(target: LinkTarget & { opensWindow?: boolean }, at: Range): void {
    this.#links++;
    const node =
      this.#mayRepeat(target.address) && mayLink(this.context)
        ? this.#page.addresses.link(target, this.context, at)
        : undefined;
    if (target.opensWindow && node?.type === 'external-link') node.opensWindow = true;
    if (node?.type === 'element') this.builder.open(node.name, at, node.attributes);
    else if (node) this.builder.open('a', at, undefined, node);
  }

  /** A long definition may be used many times, so the total length of its uses is limited in proportion to the text. */
  #mayRepeat(address: string): boolean {
    this.#addressLength += address.length;
    if (this.#addressLength <= Math.max(this.#page.source.text.length, minAddresses)) return true;
    this.context.notices.add(
      'The addresses of the links on this page are too long together; some lead nowhere.',
    );
    return false;
  }

  closeLink(start: number, end: number): void {
    this.#links--;
    this.builder.close('a', start, end);
  }

  openAnchor({ href, title, id }: Anchor, at: Range): void {
    this.#anchors.push(href === undefined ? 'span' : 'link');
    if (href === undefined) this.builder.open('span', at, id === undefined ? undefined : { id });
    else this.openLink({ address: href, title }, at);
  }

  closeAnchor(start: number, end: number): void {
    const opened = this.#anchors.pop();
    if (opened === 'link') this.closeLink(start, end);
    else if (opened === 'span') this.builder.close('span', start, end);
  }

  #image(token: Token, at: number, end: number): void {
    const alt = this.raw(altOf(token.children ?? []));
    const address = this.raw(attribute(token, 'src'));
    const picture = { address, alt, title: this.#titleOf(token) };
    const node = this.#page.addresses.image(picture, this.context, { start: at, end });
    if (node?.type === 'file') {
      for (const side of ['width', 'height'] as const) {
        const pixels = /^(\d{1,5})(?:px)?$/.exec(statedAttribute(token, side) ?? '')?.[1];
        if (pixels !== undefined && Number(pixels) > 0) node.options[side] ??= Number(pixels);
      }
    }
    this.picture(node, alt, at, end);
  }

  /** Pictures link to their files, and external pictures become links. Within a link, neither adds another link. */
  picture(node: Node | undefined, alt: string, start: number, end: number): void {
    if (!node || (this.#links > 0 && node.type === 'external-link')) this.builder.characters(alt, start, end);
    else {
      if (node.type === 'file' && this.#links > 0) node.options.link = '';
      this.builder.leaf(node, false);
    }
  }

  #note(token: PlacedToken, start: number, end: number, place: Place): void {
    const { name } = (token.meta ?? {}) as { name?: string };
    if (!this.context.openNotes.has('')) this.context.openNotes.set('', new Set());
    if (name === undefined) {
      const inner = new Phrases({ ...this.#page, isNote: true }, new Builder(this.context, emptyText()));
      // Behind `^[`.
      const from = (token.at ?? 0) + 2;
      inner.phrase(token.children ?? [], { offset: (at) => place.offset(from + at) });
      this.builder.leaf(noteNode(undefined, inner.builder.finish(end - 1), { start, end }), false);
      return;
    }
    const { isNote, notes } = this.#page;
    const { texts, onPage, inNotes } = notes;
    const holdsText = !isNote && !onPage.has(name);
    (isNote ? inNotes : onPage).add(name);
    this.builder.leaf(noteNode(name, holdsText ? texts.get(name) : undefined, { start, end }), false);
  }

  // Text ----------------------------------------------------------------------------------------------------------

  /** Plain text, which may contain the wiki's own spans, bare addresses and emoji names. */
  text(value: string, start: number): void {
    if (!hasSpan(value)) {
      this.#plain(value, start);
      return;
    }
    for (const { at, text, span } of piecesOf(value)) {
      if (text !== undefined) this.#plain(text, start + at);
      else if (span !== undefined) this.span(span, false);
    }
  }

  #plain(value: string, start: number): void {
    const text = withoutGuards(value);
    if (this.#page.addresses.isPlain) {
      this.builder.characters(text, start, start + text.length);
      return;
    }
    if (!this.context.rules.hashtags || this.#links > 0 || !text.includes('#')) {
      this.#linked(text, start);
      return;
    }
    let at = 0;
    for (const { start: from, end, value } of hashtagsIn(text)) {
      this.#linked(text.slice(at, from), start + at);
      this.#hashtag(value, start + from, start + end);
      at = end;
    }
    this.#linked(text.slice(at), start + at);
  }

  /** A hashtag: a visible tag of the page that links to all pages with that tag. */
  #hashtag(value: string, start: number, end: number): void {
    if (!mayLink(this.context)) {
      this.builder.characters(`#${value}`, start, end);
      return;
    }
    this.builder.leaf({ type: 'marker', key: 'tag', value, start, end }, false);
    const href = `/search?tag=${encodeURIComponent(`tag:${value}`)}`;
    this.builder.open('a', { start, end: start }, { href, class: 'tag' });
    this.builder.characters(`#${value}`, start, end);
    this.builder.close('a', end, end);
  }

  #linked(text: string, start: number): void {
    let at = 0;
    if (this.#links === 0 && /@|www\./i.test(text)) {
      for (const { start: from, end, url } of linksIn(text)) {
        this.#emoji(text.slice(at, from), start + at);
        this.openLink({ address: url, title: undefined }, { start: start + from, end: start + from });
        this.builder.characters(text.slice(from, end), start + from, start + end);
        this.closeLink(start + end, start + end);
        at = end;
      }
    }
    this.#emoji(text.slice(at), start + at);
  }

  #emoji(text: string, start: number): void {
    if (text !== '')
      this.builder.characters(text.includes(':') ? emoji(text) : text, start, start + text.length);
  }

  /** Returns text as it was written, in places where the wiki's own spans have no meaning. */
  raw(text: string): string {
    return withoutGuards(restore(text, this.#page.source.text, this.#page.source.spans));
  }

  /** Writes one of the wiki's own spans. `isAlone`: it forms a block of its own. */
  span(index: number, isAlone: boolean): void {
    const span = this.#page.source.spans[index];
    if (!span || span.kind === 'hidden') return;
    const { start, end } = span;
    const written = this.#page.source.text.slice(start, end);
    if (span.kind === 'link') {
      const node = readLink(written, this.context, span);
      if (node === 'wikitext') this.#wikitext(written, start, end, isAlone);
      else if (node === undefined || (node.type !== 'marker' && !mayLink(this.context)))
        this.builder.characters(written, start, end);
      else this.builder.leaf(node, false);
      return;
    }
    if (span.kind === 'picture') {
      const node = readPicture(written, this.context, span);
      if (node) this.builder.leaf(node, false);
      else this.builder.characters(written, start, end);
      return;
    }
    const expanded = span.kind === 'call' ? this.#page.source.calls?.get(index) : undefined;
    this.#wikitext(expanded ?? span.wikitext ?? written, start, end, isAlone);
  }

  /**
   * Writes text in wikitext: a call, its expansion, or an extension tag. Within a line, a single paragraph is treated as inline
   * content.
   */
  #wikitext(text: string, start: number, end: number, isAlone: boolean): void {
    const nodes = readText(this.context, text, start, 'page');
    placeAt(nodes, start, end);
    for (const node of isAlone ? nodes : onlyLine(nodes)) this.builder.leaf(node, isBlockNode(node));
  }
}
