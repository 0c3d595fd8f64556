/**
 * list      ::= (('*' | '#' | ':' | ';')+ text)+          indented ::= ^ ' ' text
 * paragraph ::= lines up to an empty line, a list, a table, a heading or another block
 *
 *   * a                <ul><li>a<ul><li>b</li></ul></li></ul>
 *   ** b
 *   ; term : meaning   <dl><dt>term</dt><dd>meaning</dd></dl>
 *    indented          <pre>indented</pre>
 *
 * The first characters of a line give the lists that it is in; lists shared with the line before stay open. Two empty lines
 * leave a visible gap. Lines with block tags are not wrapped in paragraphs.
 */

import type { Builder } from '../builder.ts';
import { char, isSpace } from '../characters.ts';
import { listMarks } from '../constructs.ts';
import type { Context } from '../context.ts';
import type { Line } from '../inlines/inline.ts';
import { limits } from '../limits.ts';
import { effect, type Prepared, sourceEnd, sourceOffset } from '../prepared.ts';
import { isInvisible } from '../text.ts';
import { type Token, textToken } from '../token.ts';

/**
 * `inItem`: the text of a list item has no paragraphs, and its first line continues the item. `rest` returns the tokens that
 * follow the last line.
 */
type ParagraphsOptions = {
  builder: Builder;
  prepared: Prepared;
  inItem: boolean;
  rest: () => readonly Token[];
};

export class Paragraphs {
  readonly #context: Context;
  readonly #builder: Builder;
  readonly #prepared: Prepared;
  readonly #rest: () => readonly Token[];
  #lastPrefix = '';
  #hasOpenTerm = false;
  #inBlock = false;
  readonly #inItem: boolean;
  #inPre = false;
  #inQuote = false;
  #paragraph: '' | 'p' | 'pre' = '';
  /** Paragraph tags to write before the next text, if there is any. */
  #owed: '' | 'open' | 'next' = '';
  /** Source offset of implied tags, computed when one is written, because few lines have any. */
  #at = 0;
  /** Offset in the prepared text from which `#at` must still be computed, or -1. */
  #unread = -1;
  #isAfterText = false;

  constructor(context: Context, { builder, prepared, inItem, rest }: ParagraphsOptions) {
    this.#context = context;
    this.#inBlock = inItem;
    this.#inItem = inItem;
    this.#rest = rest;
    this.#builder = builder;
    this.#prepared = prepared;
  }

  /** Takes ownership of the line's tokens. */
  line(line: Line): void {
    if (!line.isLast) {
      this.#line(line);
      return;
    }
    const rest = this.#rest();
    this.#line({ ...line, isLast: rest.length === 0 });
    const { end } = line;
    // A list of notes is a block, and error messages beside it are put on the same line.
    const effects = rest.reduce((all, token) => all | token.effects, 0);
    const lines = effects === 0 ? rest.map((token) => [token]) : [[...rest]];
    for (const [index, tokens] of lines.entries()) {
      const isLast = index === lines.length - 1;
      this.#line({ tokens, effects, start: end, end, isLast });
    }
  }

  #line(line: Line): void {
    this.#standAt(line.start);
    let { tokens } = line;
    const isContinued = this.#inItem && line.start === 0;
    const prefix = this.#inPre || isContinued ? '' : this.#prefixOf(line);
    const first = startOf(line);
    if (prefix !== '' && first) first.start += prefix.length;
    if (!this.#inPre && line.effects & effect.opensPre) this.#inPre = true;
    if (prefix !== '' || this.#lastPrefix !== '') tokens = this.#lists(prefix, tokens);
    if (prefix === '') this.#paragraphs(line, tokens);
    if (line.effects & effect.closesPre) this.#inPre = false;
    if (this.#owed === '') {
      if (prefix !== '') {
        trim(tokens, this.#prepared.text);
        this.#emit(tokens);
      } else {
        this.#emit(tokens);
        if (line.end < this.#prepared.text.length) this.#lineEnd(line.end);
        else if (!line.isLast || this.#paragraph !== '') this.#newline(line.end);
      }
    }
    if (line.isLast) this.#finish(line.end);
  }

  #finish(end: number): void {
    this.#standAt(end);
    for (let level = this.#lastPrefix.length; level > 0; level--)
      this.#closeList(this.#lastPrefix[level - 1] ?? '');
    if (this.#paragraph !== '') this.#close(this.#paragraph);
  }

  #prefixOf(line: Line): string {
    const first = startOf(line);
    if (!first) return '';
    const { text } = this.#prepared;
    let end = first.start;
    while (end < first.end && Object.hasOwn(listMarks, text[end] ?? '')) end++;
    if (end === first.start) return '';
    if (end - first.start > limits.listDepth) {
      this.#context.notices.add(
        `Lists are nested more than ${limits.listDepth} deep; the rest is shown as written.`,
      );
      end = first.start + limits.listDepth;
    }
    return text.slice(first.start, end);
  }

  // Lists ---------------------------------------------------------------------------------------------------------

  #lists(prefix: string, given: Token[]): Token[] {
    let tokens = given;
    const last = this.#lastPrefix;
    // `;` and `:` belong to the same list.
    const plain = prefix.replaceAll(';', ':');
    this.#owed = '';
    if (prefix !== '' && last === plain) {
      const mark = prefix[prefix.length - 1] ?? '';
      this.#nextItem(mark);
      if (mark === ';') tokens = this.#term(tokens);
      return tokens;
    }
    let common = 0;
    while (common < prefix.length && common < last.length && prefix[common] === last[common]) common++;
    for (let level = last.length; level > common; level--) this.#closeList(last[level - 1] ?? '');
    if (prefix.length <= common && common > 0) this.#nextItem(prefix[common - 1] ?? '');
    if (this.#hasOpenTerm && common > 0 && prefix[common - 1] === ':') this.#nextItem(':');
    if (last !== '' && prefix.length > common) this.#newline();
    for (; common < prefix.length; common++) {
      const mark = prefix[common] ?? '';
      this.#openList(mark);
      if (mark === ';') tokens = this.#term(tokens);
    }
    if (prefix === '' && last !== '') this.#newline();
    this.#lastPrefix = plain;
    return tokens;
  }

  #openList(mark: string): void {
    this.#closeParagraph();
    const [list, item] = listMarks[mark] ?? ['ul', 'li'];
    this.#open(list);
    this.#open(item);
    if (mark === ';') this.#hasOpenTerm = true;
  }

  #nextItem(mark: string): void {
    if (mark === '*' || mark === '#') {
      this.#close('li');
      this.#newline();
      this.#open('li');
      return;
    }
    this.#close(this.#hasOpenTerm ? 'dt' : 'dd');
    this.#newline();
    this.#hasOpenTerm = mark === ';';
    this.#open(this.#hasOpenTerm ? 'dt' : 'dd');
  }

  #closeList(mark: string): void {
    if (mark === '*' || mark === '#') {
      this.#close('li');
      this.#close(mark === '*' ? 'ul' : 'ol');
      return;
    }
    this.#close(this.#hasOpenTerm ? 'dt' : 'dd');
    this.#close('dl');
    this.#hasOpenTerm = false;
  }

  /** Writes the term of `; term : meaning` and returns the meaning. A line without a colon is a term. */
  #term(tokens: Token[]): Token[] {
    const { text } = this.#prepared;
    let depth = 0;
    // Colons inside language variants, `-{en:color}-`, are text and separate nothing.
    let variants = 0;
    for (const [index, token] of tokens.entries()) {
      // A start tag without a slash counts as open, even `<br>`.
      if (token.kind === 'open') depth += token.node || this.#context.source[token.end - 2] !== '/' ? 1 : 0;
      else if (token.kind === 'close') depth = Math.max(0, depth - 1);
      if (token.kind !== 'text' || depth > 0) continue;
      for (let at = token.start; at < token.end; at++) {
        if (text.startsWith('-{', at)) variants++;
        else if (text.startsWith('}-', at)) variants = Math.max(0, variants - 1);
        if (text.charCodeAt(at) !== char.colon || variants > 0) continue;
        this.#emit([...tokens.slice(0, index), textToken(token.start, at)]);
        this.#nextItem(':');
        return [textToken(at + 1, token.end), ...tokens.slice(index + 1)];
      }
    }
    return tokens;
  }

  // Paragraphs ----------------------------------------------------------------------------------------------------

  /** Opens and closes paragraphs for a line outside lists. */
  #paragraphs(line: Line, tokens: Token[]): void {
    const { effects } = line;
    if (effects & (effect.opensBlock | effect.closesBlock)) {
      this.#owed = '';
      if (!this.#inPre || effects & effect.opensPre) {
        const inPre = this.#inPre;
        this.#closeParagraph();
        this.#inPre = inPre;
      }
      if (effects & effect.opensQuote) this.#inQuote = true;
      else if (effects & effect.closesQuote) this.#inQuote = false;
      this.#inBlock = !(effects & effect.closesBlock);
      return;
    }
    if (this.#inBlock || this.#inPre) return;
    const { text } = this.#prepared;
    const isEmpty = isBlank(tokens, text);
    const first = startOf(line);
    if (
      first &&
      (first === tokens[0] || this.#context.rules.indentsAfterMarkers) &&
      text.charCodeAt(first.start) === char.space &&
      (this.#paragraph === 'pre' || !isEmpty) &&
      !this.#inQuote
    ) {
      if (this.#paragraph !== 'pre') {
        this.#owed = '';
        this.#closeParagraph();
        this.#open('pre');
        this.#paragraph = 'pre';
      }
      first.start++;
      return;
    }
    if (isEmpty) this.#emptyLine(tokens);
    else if (this.#owed !== '') this.#pay();
    else if (this.#paragraph !== 'p') {
      this.#closeParagraph();
      this.#open('p');
      this.#paragraph = 'p';
    }
  }

  #emptyLine(tokens: readonly Token[]): void {
    if (this.#owed !== '') {
      this.#pay();
      this.#open('br');
      return;
    }
    if (this.#paragraph !== 'p') {
      this.#closeParagraph();
      this.#owed = 'open';
    } else this.#owed = 'next';
    // Markers show nothing but belong to the tree.
    for (const token of tokens) if (token.kind === 'leaf') this.#emit([token]);
  }

  #pay(): void {
    if (this.#owed === 'next') this.#close('p');
    this.#open('p');
    this.#owed = '';
    this.#paragraph = 'p';
  }

  #closeParagraph(): void {
    if (this.#paragraph !== '') {
      this.#close(this.#paragraph);
      // The line end reopens formatting that is still open, around the block that follows.
      this.#newline();
    }
    this.#inPre = false;
    this.#paragraph = '';
  }

  // Writing -------------------------------------------------------------------------------------------------------

  #open(name: string): void {
    const at = this.#place();
    this.#builder.open(name, { start: at, end: at });
  }

  #close(name: string): void {
    const at = this.#place();
    this.#builder.close(name, at, at);
  }

  #emit(tokens: readonly Token[]): void {
    for (const token of tokens) {
      this.#builder.token(token);
      if (token.kind !== 'text') {
        this.#at = token.end;
        this.#unread = -1;
      }
    }
    const last = tokens[tokens.length - 1];
    if (last?.kind === 'text' && last.end > last.start) {
      this.#unread = last.end;
      this.#isAfterText = true;
    }
  }

  #standAt(offset: number): void {
    this.#unread = offset;
    this.#isAfterText = false;
  }

  #place(): number {
    if (this.#unread >= 0) {
      this.#at = this.#isAfterText
        ? sourceEnd(this.#prepared, this.#unread)
        : sourceOffset(this.#prepared, this.#unread);
      this.#unread = -1;
    }
    return this.#at;
  }

  /** Writes the line end at `offset`. */
  #lineEnd(offset: number): void {
    this.#builder.newline(offset);
  }

  /** Writes a line end between tags, which is not in the text. */
  #newline(offset?: number): void {
    const at = offset === undefined ? this.#place() : sourceOffset(this.#prepared, offset);
    this.#builder.characters('\n', at, at);
  }
}

/** Returns the text that begins the line. Markers before it do not count because they show nothing. */
function startOf(line: Line): Token | undefined {
  const { tokens } = line;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (token?.kind === 'text') return index > 0 || token.start === line.start ? token : undefined;
    if (token?.node?.type !== 'marker') return undefined;
  }
  return undefined;
}

function isBlank(tokens: readonly Token[], text: string): boolean {
  for (const token of tokens) {
    if (token.kind === 'leaf') {
      if (token.node && !isInvisible(token.node)) return false;
    } else if (token.kind !== 'text' || !isBlankText(text, token.start, token.end)) return false;
  }
  return true;
}

function isBlankText(text: string, start: number, end: number): boolean {
  // A no-break space is visible, so only ASCII white space counts as empty.
  for (let at = start; at < end; at++) if (!isSpace(text.charCodeAt(at))) return false;
  return true;
}

/** Trims white space at both ends. */
function trim(tokens: readonly Token[], text: string): void {
  const first = tokens.find((token) => token.node?.type !== 'marker');
  if (first?.kind === 'text') {
    while (first.start < first.end && isSpace(text.charCodeAt(first.start))) first.start++;
  }
  const last = tokens[tokens.length - 1];
  if (last?.kind === 'text') {
    while (last.end > last.start && isSpace(text.charCodeAt(last.end - 1))) last.end--;
  }
}
