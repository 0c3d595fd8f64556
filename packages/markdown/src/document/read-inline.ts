/**
 * Reads inline content of Markdown into units: characters and nodes with their marks and places. The tokens of the parser are
 * followed through the text that they were read from; where they do not match it, the whole content is a node that holds its
 * source.
 */
import {
  type Attributes,
  attributesOfCall,
  type DocumentNode,
  keyOfMark,
  keyOfNode,
  normalised,
  type Range,
  type SourceMark,
  type Unit,
} from '@coppice/wikitext/document';
import type { Token } from 'markdown-it';
import { piecesOf, type Span } from '../spans.ts';
import { marksOfTags, marksOfTokens } from './mark-names.ts';
import { parser } from './placed-parser.ts';

/** A text with its spans replaced by placeholders, and the source. */
export type Text = { source: string; text: string; spans: readonly Span[] };

/** Thrown where the tokens do not match the text. */
class Mismatch extends Error {}

/** Offsets in the source at which each character of a content begins and ends. */
export type Places = { starts: readonly number[]; ends: readonly number[] };

/** Reads the content of a block as units. If the source is not as the parser says, all of it becomes one unit of source. */
export function readUnits(text: Text, token: Token, places: Places, range: Range): Unit[] {
  try {
    const reader = new InlineReader(text, token.content, places);
    reader.tokens(token.children ?? []);
    return normalised(reader.units);
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    return opaque(text, range);
  }
}

/** Returns a range as one unit of source; nothing for an empty range. */
export function opaque({ source }: Text, range: Range): Unit[] {
  if (range.end <= range.start) return [];
  return normalised([
    unitOf({ type: 'inlineSource', attrs: { text: source.slice(range.start, range.end) } }, range, []),
  ]);
}

function unitOf(node: DocumentNode, at: Range, marks: readonly SourceMark[]): Unit {
  return { value: keyOfNode(node), node, at, marks, marked: '' };
}

function made(type: string, attrs: Attributes, open: string, close: string): SourceMark {
  return { type, attrs, key: keyOfMark(type, attrs), open, close };
}

class InlineReader {
  readonly units: Unit[] = [];
  readonly #text: Text;
  readonly #content: string;
  readonly #places: Places;
  #at = 0;
  #marks: SourceMark[] = [];

  constructor(text: Text, content: string, places: Places) {
    this.#text = text;
    this.#content = content;
    this.#places = places;
  }

  tokens(tokens: readonly Token[]): void {
    for (const [index, token] of tokens.entries()) this.#token(token, tokens, index);
    if (this.#content.slice(this.#at).trim() !== '' || this.#marks.length > 0) throw new Mismatch();
  }

  #range(from: number, to: number): Range {
    const start = this.#places.starts[from];
    const end = this.#places.ends[to - 1];
    if (start === undefined || end === undefined) throw new Mismatch();
    return { start, end };
  }

  #expect(written: string): void {
    if (!this.#content.startsWith(written, this.#at)) throw new Mismatch();
    this.#at += written.length;
  }

  #add(node: DocumentNode, from: number): void {
    this.units.push(unitOf(node, this.#range(from, this.#at), [...this.#marks]));
  }

  #raw(from: number, to: number): string {
    const { start, end } = this.#range(from, to);
    return this.#text.source.slice(start, end);
  }

  #characters(text: string, from: number, marks: readonly SourceMark[]): void {
    let at = from;
    for (const value of text) {
      this.units.push({
        value: value === '\n' ? ' ' : value,
        at: this.#range(at, at + value.length),
        marks,
        marked: '',
      });
      at += value.length;
    }
  }

  #token(token: Token, tokens: readonly Token[], index: number): void {
    const from = this.#at;
    if (this.#skipping !== undefined && token.type !== 'link_close') return;
    switch (token.type) {
      case 'text':
        this.#string(token.content);
        break;
      case 'softbreak': {
        const space = /[ \t]*\n[ \t]*/y;
        space.lastIndex = from;
        this.#expect(space.exec(this.#content)?.[0] ?? '\0');
        // The marks of quotes and lists that begin the next line belong to the line end.
        const { start } = this.#range(from, from + 1);
        const end = this.#places.starts[this.#at] ?? start + 1;
        this.units.push({ value: ' ', at: { start, end }, marks: [...this.#marks], marked: '' });
        break;
      }
      case 'hardbreak': {
        const space = /(?: {2,}|\\)\n[ \t]*/y;
        space.lastIndex = from;
        this.#expect(space.exec(this.#content)?.[0] ?? '\0');
        const { start } = this.#range(from, from + 1);
        const at = { start, end: this.#places.starts[this.#at] ?? start + 1 };
        this.units.push(unitOf({ type: 'hardBreak' }, at, [...this.#marks]));
        break;
      }
      case 'text_special':
        this.#expect(token.markup);
        if ([...token.content].length !== 1) throw new Mismatch();
        this.units.push({
          value: token.content,
          at: this.#range(from, this.#at),
          marks: [...this.#marks],
          marked: '',
        });
        break;
      case 'code_inline':
        this.#code(token);
        break;
      case 'link_open':
        this.#openLink(token, tokens[index + 1]);
        break;
      case 'link_close':
        this.#closeLink();
        break;
      case 'image':
        this.#image(token);
        break;
      case 'html_inline':
        this.#html(token, tokens, index);
        break;
      case 'note': {
        const label = /\^\[|\[\^[^\s\]^]{1,200}\]/y;
        label.lastIndex = from;
        const written = label.exec(this.#content)?.[0] ?? '\0';
        this.#expect(written);
        if (written === '^[') {
          this.#expect(`${token.content}]`);
          this.#add({ type: 'note', attrs: { name: null, text: this.#raw(from + 2, this.#at - 1) } }, from);
        } else this.#add({ type: 'note', attrs: { name: written.slice(2, -1), text: null } }, from);
        break;
      }
      case 'formula': {
        const isDollar = this.#content[from] === '$' && this.#content[from + 1] !== '$';
        if (isDollar) {
          this.#expect(`$${token.content}$`);
          this.#add({ type: 'inlineFormula', attrs: { source: token.content } }, from);
        } else this.#skipTo(/^(?:\$\$[\s\S]*?\$\$|\\\([\s\S]*?\\\)|\\\[[\s\S]*?\\\])/);
        break;
      }
      case 'comment':
        this.#skipTo(/^%%[\s\S]*?%%/);
        break;
      default:
        this.#mark(token);
    }
  }

  /** Makes a node that holds its source of what the pattern matches. */
  #skipTo(pattern: RegExp): void {
    const from = this.#at;
    const written = pattern.exec(this.#content.slice(from))?.[0];
    if (!written) throw new Mismatch();
    this.#at += written.length;
    this.#add({ type: 'inlineSource', attrs: { text: this.#raw(from, this.#at) } }, from);
  }

  #string(content: string): void {
    for (const { at, text, span } of piecesOf(content)) {
      if (text !== undefined) {
        const from = this.#at;
        this.#expect(text);
        this.#characters(text, from, [...this.#marks]);
      } else {
        const from = this.#at;
        const placeholder = /[\uFDEF][\uFDD0-\uFDED]{4}\uFDEE*/y;
        placeholder.lastIndex = from;
        const written = placeholder.exec(this.#content)?.[0];
        const found = this.#text.spans[span ?? -1];
        if (!written || !found || at < 0) throw new Mismatch();
        this.#at += written.length;
        this.#span(found, from);
      }
    }
  }

  #span({ kind }: Span, from: number): void {
    const { start, end } = this.#range(from, this.#at);
    const written = this.#text.source.slice(start, end);
    const [, page = '', label] = /^\[\[([^[\]|{}<>\n]+?)(?:\\?\|([^[\]|<>\n]+))?\]\]$/.exec(written) ?? [];
    if (kind === 'link' && page.trim() !== '' && !/:/.test(page.replace(/^https?:/, ''))) {
      const mark = {
        ...made('link', { to: page.trim(), kind: 'page', title: null }, '', ''),
        whole: { start, end },
      };
      const marks = [...this.#marks, mark];
      for (const value of label?.trim() ? label : page.trim().replace(/^:\s*/, ''))
        this.units.push({ value, marks, marked: '' });
      return;
    }
    const [, file = '', width] = /^!\[\[([^[\]|]+)(?:\\?\|(\d{1,5}))?\]\]$/.exec(written) ?? [];
    const call = kind === 'call' ? attributesOfCall(written) : undefined;
    if (kind === 'picture' && file !== '')
      this.#add({ type: 'image', attrs: { file: file.trim(), width: width ? Number(width) : null } }, from);
    else if (call) this.#add({ type: 'inlineCall', attrs: call }, from);
    else this.#add({ type: 'inlineSource', attrs: { text: written } }, from);
  }

  #code({ markup, content }: Token): void {
    const from = this.#at;
    this.#expect(markup);
    const close = new RegExp(`(?<!\`)${markup}(?!\`)`, 'g');
    close.lastIndex = this.#at;
    const found = close.exec(this.#content);
    if (!found) throw new Mismatch();
    const inside = this.#content.slice(this.#at, found.index);
    const pad = inside.replaceAll('\n', ' ') === content ? 0 : 1;
    const shown = inside.slice(pad, inside.length - pad);
    if (shown.replaceAll('\n', ' ') !== content || /[\uFDEF]/.test(shown)) throw new Mismatch();
    const space = ' '.repeat(pad);
    const mark = made('code', {}, markup + space, space + markup);
    this.#characters(shown, from + markup.length + pad, [...this.#marks, mark]);
    this.#at = found.index + markup.length;
  }

  #mark({ type, markup, nesting }: Token): void {
    const mark = marksOfTokens[type.replace(/_(?:open|close)$/, '')];
    const from = this.#at;
    const written = markup || /^(?:~~?|==|\^)/.exec(this.#content.slice(from))?.[0];
    if (!mark || !written || nesting === 0) throw new Mismatch();
    this.#expect(written);
    if (nesting === 1) {
      // The same mark within itself shows nothing.
      if (this.#marks.some((one) => one.type === mark)) throw new Mismatch();
      this.#marks.push(made(mark, {}, written, written));
    } else if (this.#marks.pop()?.type !== mark) throw new Mismatch();
  }

  #openLink(token: Token, text: Token | undefined): void {
    const from = this.#at;
    const to = String(token.attrGet('href') ?? '');
    const address = { to, kind: 'address', title: null };
    if (this.#marks.some(({ type }) => type === 'link')) throw new Mismatch();
    if (token.info === 'auto' || token.markup === 'autolink') {
      const isBare = token.markup !== 'autolink';
      const length = isBare ? (text?.content.length ?? 0) : this.#content.indexOf('>', from) + 1 - from;
      if (length <= 0) throw new Mismatch();
      const mark = { ...made('link', address, '', ''), whole: this.#range(from, from + length) };
      for (const value of text?.content ?? '')
        this.units.push({ value, marks: [...this.#marks, mark], marked: '' });
      this.#skipping = from + length;
      return;
    }
    this.#expect('[');
    const title = token.attrGet('title');
    // The end of the mark is known at the end of the link.
    this.#marks.push(made('link', { ...address, title: title === null ? null : String(title) }, '[', ''));
  }

  /** End of an address that is its own text, until its tokens are over. */
  #skipping: number | undefined;

  #closeLink(): void {
    if (this.#skipping !== undefined) {
      this.#at = this.#skipping;
      this.#skipping = undefined;
      return;
    }
    const mark = this.#marks.pop();
    if (mark?.type !== 'link') throw new Mismatch();
    const from = this.#at;
    this.#expect(']');
    this.#at = this.#target(this.#at);
    mark.close = this.#raw(from, this.#at);
  }

  /** Offset after `(address "title")` or `[reference]`. */
  #target(at: number): number {
    const { parseLinkDestination, parseLinkTitle } = parser.helpers;
    const text = this.#content;
    const space = (from: number) => from + (/^[ \t\n]*/.exec(text.slice(from))?.[0].length ?? 0);
    if (text[at] === '(') {
      let next = space(at + 1);
      const destination = parseLinkDestination(text, next, text.length);
      if (destination.ok) {
        next = space(destination.pos);
        const title = parseLinkTitle(text, next, text.length);
        if (title.ok && next !== destination.pos) next = space(title.pos);
        if (text[next] === ')') return next + 1;
      } else if (text[next] === ')') return next + 1;
    }
    const reference = /^\[(?:[^[\]\\]|\\.)*\]/.exec(text.slice(at))?.[0];
    return at + (reference?.length ?? 0);
  }

  #image(token: Token): void {
    const from = this.#at;
    this.#expect(`![${token.content}]`);
    const target = this.#at;
    this.#at = this.#target(target);
    const isInline = this.#content[target] === '(' && this.#at > target;
    const file = String(token.attrGet('src') ?? '');
    const parts = token.children ?? [];
    const shown = parts.map(({ content }) => content).join('');
    const end = shown.lastIndexOf('|');
    const width = end < 0 ? undefined : /^\s*(\d{1,5})$/.exec(shown.slice(end + 1))?.[1];
    const alt = width === undefined ? shown : shown.slice(0, end).trimEnd();
    if (
      isInline &&
      parts.every(({ type }) => /^text/.test(type)) &&
      !/[\\&]/.test(file) &&
      !/\uFDEF/.test(token.content + file) &&
      token.attrGet('title') === null
    )
      this.#add(
        { type: 'image', attrs: { file, alt: alt || null, width: width ? Number(width) : null } },
        from,
      );
    else this.#add({ type: 'inlineSource', attrs: { text: this.#raw(from, this.#at) } }, from);
  }

  #html(token: Token, tokens: readonly Token[], index: number): void {
    const from = this.#at;
    const { content } = token;
    this.#expect(content);
    if (/^<br\s*\/?>$/i.test(content)) {
      this.#add({ type: 'hardBreak' }, from);
      return;
    }
    const comment = /^<!--([\s\S]*)-->$/.exec(content);
    if (comment) {
      this.#add({ type: 'comment', attrs: { text: comment[1] } }, from);
      return;
    }
    const name = /^<([a-z]+)>$/i.exec(content)?.[1]?.toLowerCase();
    const close = name && isClosed(tokens, index, name);
    const mark = name ? marksOfTags[name] : undefined;
    if (mark && close && !this.#marks.some(({ type }) => type === mark)) {
      this.#marks.push(made(mark, {}, content, close));
      return;
    }
    const last = this.#marks.at(-1);
    if (last?.open.startsWith('<') && last.close === content) this.#marks.pop();
    else this.#add({ type: 'inlineSource', attrs: { text: this.#raw(from, this.#at) } }, from);
  }
}

/** Returns the end tag of a tag, if everything between them is closed. */
function isClosed(tokens: readonly Token[], index: number, name: string): string | undefined {
  let open = 0;
  const tags: string[] = [];
  for (const { type, content, nesting } of tokens.slice(index + 1, index + 200)) {
    open += nesting;
    if (open < 0) return undefined;
    if (type !== 'html_inline' || /^<br\b/i.test(content)) continue;
    const [, slash, tag = ''] = /^<(\/?)([a-z]+)>$/i.exec(content.toLowerCase()) ?? [];
    if (slash === undefined) continue;
    if (slash === '') tags.push(tag);
    else if (tags.length > 0) {
      if (tags.pop() !== tag) return undefined;
    } else return tag === name && open === 0 ? content : undefined;
  }
  return undefined;
}
