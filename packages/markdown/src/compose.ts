/**
 * The parser's tokens → the tree of a page, by the builder that wikitext's tags go through: HTML in a page may open and close
 * where it likes, and the tree is nested as a browser would nest it, of allowed elements alone. Blocks, lines and the wiki's own
 * spans stand in one file, as each may hold the others.
 */
import type { Attributes, HeadingNode, Node } from '@coppice/wikitext';
import { Builder, type Context, isBlockNode, mayLink, placeAt, readText } from '@coppice/wikitext/build';
import createMarkdownIt, { type Token } from 'markdown-it';
import { emoji } from './emoji.ts';
import { writeHtml } from './html.ts';
import type { Addresses } from './links.ts';
import { alignment, altOf, attribute, emptyText, extension, noteNode, onlyLine, startOf } from './nodes.ts';
import type { PlacedToken } from './parser.ts';
import type { ContentPlace, Lines } from './positions.ts';
import { linksIn } from './rules/addresses.ts';
import type { Box } from './rules/admonitions.ts';
import type { BlockMeta } from './rules/block-marks.ts';
import { hasSpan, piecesOf, restore, type Span, withoutGuards } from './spans.ts';
import { readEmbed, readLink } from './wiki-links.ts';

/** A source in which spans were replaced, and what became of its calls. */
export type Source = {
  text: string;
  spans: readonly Span[];
  /** What stands in place of each call, as wikitext; undefined: calls stay calls. */
  calls: ReadonlyMap<number, string> | undefined;
  lines: Lines;
};

const lib = createMarkdownIt().utils;

/** Texts of notes by name, and which of them the page or other notes refer to. */
type Notes = { texts: Map<string, Node[]>; onPage: Set<string>; inNotes: Set<string> };

/** Characters that addresses may have together on any page, as in CommonMark's reference implementation. */
const minAddresses = 100_000;

const elements: Readonly<Record<string, string>> = {
  paragraph: 'p',
  bullet_list: 'ul',
  ordered_list: 'ol',
  list_item: 'li',
  blockquote: 'blockquote',
  table: 'table',
  tr: 'tr',
  th: 'th',
  td: 'td',
  dl: 'dl',
  dt: 'dt',
  dd: 'dd',
  em: 'em',
  strong: 'strong',
  s: 'del',
  mark: 'mark',
  sub: 'sub',
  sup: 'sup',
};

export class Composer {
  readonly context: Context;
  readonly builder: Builder;
  readonly source: Source;
  readonly addresses: Addresses;
  readonly #notes: Notes;
  readonly #isNote: boolean;
  /** Links that are open: in them no other begins. */
  #links = 0;
  /** Characters of all addresses so far. */
  #addressLength = 0;
  /** What each open `<a>` of HTML became. */
  readonly #anchors: ('link' | 'span')[] = [];

  constructor(context: Context, source: Source, addresses: Addresses, notes?: Notes) {
    this.context = context;
    this.source = source;
    this.addresses = addresses;
    this.#isNote = notes !== undefined;
    this.#notes = notes ?? { texts: new Map(), onPage: new Set(), inNotes: new Set() };
    this.builder = new Builder(context, emptyText());
  }

  /** Nodes of a whole text: notes first, as they may stand after what refers to them. */
  page(tokens: readonly Token[], end: number): Node[] {
    const rest: Token[] = [];
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at];
      if (token?.type !== 'note_open') {
        if (token) rest.push(token);
        continue;
      }
      const from = at + 1;
      for (let depth = 1; depth > 0 && ++at < tokens.length; ) {
        if (tokens[at]?.type === 'note_open') depth++;
        else if (tokens[at]?.type === 'note_close') depth--;
      }
      const { name } = token.meta as { name: string };
      const { texts } = this.#notes;
      if (!texts.has(name)) texts.set(name, this.#noteComposer().page(tokens.slice(from, at), end));
    }
    this.blocks(rest);
    if (!this.#isNote) this.#notesOfNotes(end);
    return this.builder.finish(end);
  }

  #noteComposer(): Composer {
    return new Composer(this.context, this.source, this.addresses, this.#notes);
  }

  /** Notes that other notes alone refer to stand in the list. Each text is in the tree once, however notes refer to each other. */
  #notesOfNotes(end: number): void {
    const { texts, onPage, inNotes } = this.#notes;
    const children = [...inNotes]
      .filter((name) => !onPage.has(name))
      .map((name) => noteNode(name, texts.get(name), end));
    if (children.length === 0) return;
    const list = extension('references', {}, undefined, end, end);
    list.children = children;
    this.builder.leaf(list, true);
  }

  blocks(tokens: readonly Token[]): void {
    // Cells say nothing of their place: they are looked for in their row, one after the other.
    let line = 0;
    let from = 0;
    for (const [index, token] of tokens.entries()) {
      if (token.map) {
        line = token.map[0];
        from = Math.max(from, this.source.lines.start(line));
      }
      const end = token.map ? this.source.lines.end(token.map[1]) : from;
      switch (token.type) {
        case 'inline':
          from = Math.max(from, this.#inline(token, line, from, tokens[index - 1]));
          break;
        case 'heading_open':
          this.#heading(token, from, end);
          break;
        case 'heading_close':
          this.builder.close(token.tag, from, from);
          break;
        case 'list_item_open':
          this.#open('li', token, from);
          if ((token.meta as BlockMeta | null)?.isDone !== undefined)
            this.#checkbox(token.meta as BlockMeta, from);
          break;
        case 'ordered_list_open':
          this.#open('ol', token, from, startOf(token));
          break;
        case 'table_open':
          this.#open('table', token, from, { class: 'wikitable' });
          break;
        case 'th_open':
        case 'td_open':
          this.#open(token.tag, token, from, alignment(token));
          break;
        case 'paragraph_open':
        case 'paragraph_close':
          if (token.hidden) {
            // Blocks in an item of a tight list stand on lines of their own.
            if (token.type === 'paragraph_close' && tokens[index + 1]?.nesting !== -1)
              this.builder.characters('\n', from, from);
          } else if (!this.#isCallAlone(tokens[token.nesting === 1 ? index + 1 : index - 1]))
            this.#tag(token, from, end);
          break;
        case 'hr':
          this.builder.open('hr', undefined, from, end);
          break;
        case 'code_block':
        case 'fence':
          this.#code(token, from, end);
          break;
        case 'formula':
          this.#formula(token, from, end);
          break;
        case 'html_block':
          writeHtml(this, token.content, from);
          break;
        case 'box_open':
          this.#openBox(token.meta as Box, from);
          break;
        case 'box_close':
          this.builder.close((token.meta as Box).folded ? 'details' : 'div', from, from);
          break;
        case 'contents':
          this.context.switches.add('toc');
          this.builder.leaf(extension('toc', {}, undefined, from, end), true);
          break;
        default:
          this.#tag(token, from, end);
      }
    }
  }

  #tag(token: Token, start: number, end: number): void {
    const name = elements[token.type.replace(/_(?:open|close)$/, '')];
    if (name === undefined) return;
    if (token.nesting === 1) this.#open(name, token, start);
    else if (token.nesting === -1) this.builder.close(name, end, end);
  }

  #open(name: string, token: Token, start: number, attributes: Attributes = {}): void {
    const { id } = (token.meta ?? {}) as BlockMeta;
    const all = id === undefined ? attributes : { ...attributes, id };
    this.builder.open(name, Object.keys(all).length > 0 ? all : undefined, start, start);
  }

  #heading(token: Token, start: number, end: number): void {
    const id = (token.meta as BlockMeta | null)?.id;
    const node: HeadingNode = {
      type: 'heading',
      name: token.tag,
      attributes: id === undefined ? undefined : { id },
      level: Number(token.tag.slice(1)),
      id: '',
      children: [],
      start,
      end,
    };
    this.builder.open(token.tag, undefined, start, end, node);
  }

  #checkbox({ isDone }: BlockMeta, start: number): void {
    const attributes: Attributes = { type: 'checkbox', disabled: '' };
    if (isDone) attributes.checked = '';
    this.builder.open('input', attributes, start, start);
    this.builder.characters(' ', start, start);
  }

  #openBox({ kind, title, folded }: Box, start: number): void {
    const name = kind.toLowerCase();
    const attributes: Attributes = { class: `callout callout-${name}` };
    if (folded === 'open') attributes.open = '';
    this.builder.open(folded ? 'details' : 'div', attributes, start, start);
    const shown = title === '' ? `${kind[0]?.toUpperCase()}${kind.slice(1).replaceAll('-', ' ')}` : title;
    const tag = folded ? 'summary' : 'p';
    this.builder.open(tag, { class: 'callout-title' }, start, start);
    this.text(shown, start);
    this.builder.close(tag, start, start);
  }

  #code(token: Token, start: number, end: number): void {
    const language = /^\S{1,64}/.exec(lib.unescapeAll(this.raw(token.info)).trim())?.[0] ?? '';
    const body = this.raw(token.content);
    if (language === 'math')
      this.builder.leaf(extension('math', { display: 'block' }, body, start, end), true);
    else this.builder.leaf(extension('code-block', { lang: language }, body, start, end), true);
  }

  #formula(token: Token, start: number, end: number): void {
    const { isDisplay } = token.meta as { isDisplay: boolean };
    const attributes: Attributes = isDisplay ? { display: 'block' } : {};
    this.builder.leaf(extension('math', attributes, this.raw(token.content), start, end), isDisplay);
  }

  // Lines ---------------------------------------------------------------------------------------------------------

  /** Answers where it ends. */
  #inline(token: Token, line: number, from: number, before: Token | undefined): number {
    const isCell = before?.type === 'th_open' || before?.type === 'td_open';
    const place = this.source.lines.place(token.content, token.map?.[0] ?? line, isCell ? from : 0);
    if (before?.type === 'paragraph_open' && this.#isCallAlone(token)) {
      for (const { span } of piecesOf(token.content)) if (span !== undefined) this.#span(span, true);
    } else this.phrase(token.children ?? [], place);
    return place.offset(token.content.length);
  }

  /** A template may make a table or a list, which must not stand within a paragraph. */
  #isCallAlone(token: Token | undefined): boolean {
    if (token?.type !== 'inline' || !hasSpan(token.content)) return false;
    for (const { text, span } of piecesOf(token.content)) {
      if (span === undefined ? text?.trim() !== '' : this.source.spans[span]?.kind === 'link') return false;
    }
    return true;
  }

  /** `place`: where the content stands; without it, all of it is where the block begins. */
  phrase(tokens: readonly PlacedToken[], place: ContentPlace | undefined): void {
    let text = '';
    let start = 0;
    const flush = () => {
      if (text !== '') this.text(text, start);
      text = '';
    };
    for (const token of tokens) {
      const at = place?.offset(token.at ?? 0) ?? 0;
      if (token.type === 'text' || token.type === 'text_special' || token.type === 'softbreak') {
        if (text === '') start = at;
        text += token.type === 'softbreak' ? '\n' : token.content;
        continue;
      }
      flush();
      this.#phraseToken(token, at);
    }
    flush();
  }

  #phraseToken(token: Token, at: number): void {
    switch (token.type) {
      case 'hardbreak':
        this.builder.open('br', undefined, at, at);
        this.builder.characters('\n', at, at);
        break;
      case 'code_inline':
        this.builder.open('code', undefined, at, at);
        this.builder.characters(this.raw(token.content), at, at + token.content.length);
        this.builder.close('code', at, at);
        break;
      case 'html_inline':
        writeHtml(this, token.content, at);
        break;
      case 'link_open':
        this.openLink(this.raw(attribute(token, 'href')), this.#titleOf(token), at, at);
        break;
      case 'link_close':
        this.closeLink(at, at);
        break;
      case 'image':
        this.#image(token, at);
        break;
      case 'note':
        this.#note(token, at);
        break;
      case 'formula':
        this.#formula(token, at, at + token.content.length);
        break;
      case 'comment':
        break;
      default:
        this.#tag(token, at, at);
    }
  }

  #titleOf(token: Token): string | undefined {
    const title = attribute(token, 'title');
    return title === '' ? undefined : this.raw(title);
  }

  /** A link that may not lead anywhere leaves its label. */
  openLink(address: string, title: string | undefined, start: number, end: number): void {
    this.#links++;
    const node =
      this.#mayRepeat(address) && mayLink(this.context)
        ? this.addresses.link(address, title, this.context, start, end)
        : undefined;
    if (node?.type === 'element') this.builder.open(node.name, node.attributes, start, end);
    else if (node) this.builder.open('a', undefined, start, end, node);
  }

  /** A definition may be long and used often: what its uses take together is bounded by the text. */
  #mayRepeat(address: string): boolean {
    this.#addressLength += address.length;
    if (this.#addressLength <= Math.max(this.source.text.length, minAddresses)) return true;
    this.context.notices.add(
      'The addresses of the links on this page are too long together; some lead nowhere.',
    );
    return false;
  }

  closeLink(start: number, end: number): void {
    this.#links--;
    this.builder.close('a', start, end);
  }

  openAnchor(
    href: string | undefined,
    title: string | undefined,
    id: string | undefined,
    start: number,
    end: number,
  ): void {
    this.#anchors.push(href === undefined ? 'span' : 'link');
    if (href === undefined) this.builder.open('span', id === undefined ? undefined : { id }, start, end);
    else this.openLink(href, title, start, end);
  }

  closeAnchor(start: number, end: number): void {
    const opened = this.#anchors.pop();
    if (opened === 'link') this.closeLink(start, end);
    else if (opened === 'span') this.builder.close('span', start, end);
  }

  #image(token: Token, at: number): void {
    const alt = this.raw(altOf(token.children ?? []));
    const node = this.addresses.image(
      this.raw(attribute(token, 'src')),
      alt,
      this.#titleOf(token),
      this.context,
      at,
    );
    this.picture(node, alt, at);
  }

  /** Pictures lead to their files, and those elsewhere are links: neither within a link. */
  picture(node: Node | undefined, alt: string, at: number): void {
    if (!node || (this.#links > 0 && node.type === 'external-link')) this.builder.characters(alt, at, at);
    else {
      if (node.type === 'file' && this.#links > 0) node.options.link = '';
      this.builder.leaf(node, false);
    }
  }

  #note(token: Token, at: number): void {
    const { name } = (token.meta ?? {}) as { name?: string };
    this.context.openNotes.add('');
    if (name === undefined) {
      const inner = this.#noteComposer();
      inner.phrase(token.children ?? [], undefined);
      this.builder.leaf(noteNode(undefined, inner.builder.finish(at), at), false);
      return;
    }
    const { texts, onPage, inNotes } = this.#notes;
    const holdsText = !this.#isNote && !onPage.has(name);
    (this.#isNote ? inNotes : onPage).add(name);
    this.builder.leaf(noteNode(name, holdsText ? texts.get(name) : undefined, at), false);
  }

  // Text ----------------------------------------------------------------------------------------------------------

  /** Plain text in which the wiki's own spans, addresses and names of emoji may stand. */
  text(value: string, start: number): void {
    if (!hasSpan(value)) {
      this.#plain(value, start);
      return;
    }
    for (const { at, text, span } of piecesOf(value)) {
      if (text !== undefined) this.#plain(text, start + at);
      else if (span !== undefined) this.#span(span, false);
    }
  }

  #plain(value: string, start: number): void {
    const text = withoutGuards(value);
    if (this.addresses.isPlain) {
      this.builder.characters(text, start, start + text.length);
      return;
    }
    let at = 0;
    if (this.#links === 0 && /@|www\./i.test(text)) {
      for (const { start: from, end, url } of linksIn(text)) {
        this.#emoji(text.slice(at, from), start + at);
        this.openLink(url, undefined, start + from, start + from);
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

  /** Text as it was written, where the wiki's own spans mean nothing. */
  raw(text: string): string {
    return withoutGuards(restore(text, this.source.text, this.source.spans));
  }

  #span(index: number, isAlone: boolean): void {
    const span = this.source.spans[index];
    if (!span || span.kind === 'hidden') return;
    const { start, end } = span;
    const written = this.source.text.slice(start, end);
    if (span.kind === 'link') {
      const node = readLink(written, this.context, start, end);
      if (node === 'wikitext') this.#wikitext(written, start, end, isAlone);
      else if (node === undefined || (node.type !== 'marker' && !mayLink(this.context)))
        this.builder.characters(written, start, end);
      else this.builder.leaf(node, false);
      return;
    }
    if (span.kind === 'embed') {
      const node = readEmbed(written, this.context, start, end);
      if (node) this.builder.leaf(node, false);
      else this.builder.characters(written, start, end);
      return;
    }
    const expanded = span.kind === 'call' ? this.source.calls?.get(index) : undefined;
    this.#wikitext(expanded ?? written, start, end, isAlone);
  }

  /** Text in wikitext: a call, what stands in its place, an extension tag. Within a line one paragraph is part of that line. */
  #wikitext(text: string, start: number, end: number, isAlone: boolean): void {
    const nodes = readText(this.context, text, start, 'page');
    placeAt(nodes, start, end);
    for (const node of isAlone ? nodes : onlyLine(nodes)) this.builder.leaf(node, isBlockNode(node));
  }
}
