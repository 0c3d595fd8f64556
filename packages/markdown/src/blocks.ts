/**
 * Converts the parser's block tokens to elements, with the same builder as wikitext's tags. HTML may open and close anywhere in
 * a page; the tree is nested as a browser would nest it and holds allowed elements only. Inline content is handled in
 * `phrases.ts`.
 */
import type { Attributes, HeadingNode, Node } from '@coppice/wikitext';
import { Builder, extensionNode } from '@coppice/wikitext/build';
import createMarkdownIt, { type Token } from 'markdown-it';
import { writeHtml } from './html.ts';
import { alignment, attributesOf, emptyText, noteNode, startOf } from './nodes.ts';
import { type PageParts, Phrases } from './phrases.ts';
import type { Box } from './rules/admonitions.ts';
import type { BlockMeta } from './rules/block-marks.ts';
import { hasSpan, piecesOf } from './spans.ts';

const lib = createMarkdownIt().utils;

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
};

/** Converts the tokens of a whole text to nodes. */
export function blocksOf(tokens: readonly Token[], page: PageParts): Node[] {
  return new Blocks(page).read(tokens);
}

/** Attributes that marks in the text give to a block. */
function statedAttributes(token: Token, name: string): Attributes {
  const { id } = (token.meta ?? {}) as BlockMeta;
  return { ...attributesOf(token, name), ...(id === undefined ? {} : { id }) };
}

function titleTag(box: Box | undefined): string {
  return box?.folded ? 'summary' : 'p';
}

class Blocks {
  readonly #page: PageParts;
  readonly #builder: Builder;
  readonly #phrases: Phrases;

  constructor(page: PageParts) {
    this.#page = page;
    this.#builder = new Builder(page.context, emptyText());
    this.#phrases = new Phrases(page, this.#builder);
  }

  /** Reads the texts of notes first, because they may stand after the references to them. */
  read(tokens: readonly Token[]): Node[] {
    const { isNote, notes, source } = this.#page;
    const end = source.text.length;
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
      if (!notes.texts.has(name))
        notes.texts.set(name, blocksOf(tokens.slice(from, at), { ...this.#page, isNote: true }));
    }
    this.#write(rest);
    if (!isNote) this.#notesOfNotes(end);
    return this.#builder.finish(end);
  }

  /** Lists the notes that only other notes refer to. Each text occurs once in the tree, however notes refer to each other. */
  #notesOfNotes(end: number): void {
    const { texts, onPage, inNotes } = this.#page.notes;
    const children = [...inNotes]
      .filter((name) => !onPage.has(name))
      .map((name) => noteNode(name, texts.get(name), { start: end, end }));
    if (children.length === 0) return;
    const list = extensionNode({ name: 'references' }, { start: end, end });
    list.children = children;
    list.listed = children.map((note) => ({ note, isDefined: true }));
    this.#builder.leaf(list, true);
  }

  #write(tokens: readonly Token[]): void {
    // Cells carry no position, so each is searched for in its row, after the one before it.
    let line = 0;
    let from = 0;
    const boxes: Box[] = [];
    for (const [index, token] of tokens.entries()) {
      if (token.map) {
        line = token.map[0];
        from = Math.max(from, this.#page.source.lines.start(line));
      }
      const end = token.map ? this.#page.source.lines.end(token.map[1]) : from;
      switch (token.type) {
        case 'inline':
          from = Math.max(from, this.#inline(token, line, from, tokens[index - 1]));
          break;
        case 'heading_open':
          this.#heading(token, from, end);
          break;
        case 'heading_close':
          this.#builder.close(token.tag, from, from);
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
            // Blocks in an item of a tight list are separated by line ends.
            if (token.type === 'paragraph_close' && tokens[index + 1]?.nesting !== -1)
              this.#builder.characters('\n', from, from);
          } else if (!this.#isCallAlone(tokens[token.nesting === 1 ? index + 1 : index - 1]))
            this.#tag(token, from, end);
          else if ((tokens[token.nesting === 1 ? index : index - 2]?.meta as BlockMeta | null)?.id) {
            // A call may show blocks, which no paragraph can hold; the name needs an element.
            if (token.nesting === 1) this.#open('div', token, from);
            else this.#builder.close('div', end, end);
          }
          break;
        case 'hr':
          this.#builder.open('hr', { start: from, end });
          break;
        case 'code_block':
        case 'fence':
          this.#code(token, from, end);
          break;
        case 'formula':
          this.#phrases.formula(token, from, end);
          break;
        case 'html_block':
          writeHtml(this.#phrases, token.content, from);
          break;
        case 'box_open':
          boxes.push(token.meta as Box);
          this.#openBox(token.meta as Box, from);
          break;
        case 'box_title_open':
          this.#builder.open(titleTag(boxes.at(-1)), { start: from, end: from }, { class: 'callout-title' });
          break;
        case 'box_title_close':
          this.#builder.close(titleTag(boxes.at(-1)), from, from);
          break;
        case 'box_close':
          boxes.pop();
          this.#builder.close((token.meta as Box).folded ? 'details' : 'div', from, from);
          break;
        case 'contents':
          // A page has one table of contents, as in wikitext: repeating all headings many times would make the output too long.
          if (this.#page.context.switches.has('toc')) break;
          this.#page.context.switches.add('toc');
          this.#builder.leaf(extensionNode({ name: 'toc' }, { start: from, end }), true);
          break;
        default:
          this.#tag(token, from, end);
      }
      // Items and boxes with code at their end do not end before it.
      if (token.nesting === 0) from = Math.max(from, end);
    }
  }

  #tag(token: Token, start: number, end: number): void {
    const name = elements[token.type.replace(/_(?:open|close)$/, '')];
    if (name === undefined) return;
    if (token.nesting === 1) this.#open(name, token, start);
    else if (token.nesting === -1) this.#builder.close(name, end, end);
  }

  #open(name: string, token: Token, start: number, attributes: Attributes = {}): void {
    const all = { ...attributes, ...statedAttributes(token, name) };
    this.#builder.open(name, { start, end: start }, Object.keys(all).length > 0 ? all : undefined);
  }

  #heading(token: Token, start: number, end: number): void {
    const stated = statedAttributes(token, token.tag);
    const node: HeadingNode = {
      type: 'heading',
      name: token.tag,
      attributes: Object.keys(stated).length > 0 ? stated : undefined,
      level: Number(token.tag.slice(1)),
      id: '',
      children: [],
      start,
      end,
    };
    this.#builder.open(token.tag, node, undefined, node);
  }

  #checkbox({ isDone }: BlockMeta, start: number): void {
    const attributes: Attributes = { type: 'checkbox', disabled: '' };
    if (isDone) attributes.checked = '';
    this.#builder.open('input', { start, end: start }, attributes);
    this.#builder.characters(' ', start, start);
  }

  #openBox({ kind, title, folded }: Box, start: number): void {
    const name = kind.toLowerCase();
    const attributes: Attributes = { class: `callout callout-${name}` };
    if (folded === 'open') attributes.open = '';
    this.#builder.open(folded ? 'details' : 'div', { start, end: start }, attributes);
    // Tokens of a title of its own follow. A box that folds must have one to be opened by.
    if (title || (title === '' && !folded)) return;
    const tag = titleTag({ kind, folded });
    this.#builder.open(tag, { start, end: start }, { class: 'callout-title' });
    // GitHub's boxes are written in capitals, and shown in small letters.
    const own = kind === kind.toUpperCase() ? name : kind;
    this.#builder.characters(`${own[0]?.toUpperCase()}${own.slice(1).replaceAll('-', ' ')}`, start, start);
    this.#builder.close(tag, start, start);
  }

  #code(token: Token, start: number, end: number): void {
    const info = lib.unescapeAll(this.#phrases.raw(token.info)).trim();
    // Pandoc writes `{.python}`, R Markdown `{python}`.
    const language = (/^\{\.?([\w+#-]{1,64})[^{}]*\}$/.exec(info) ?? /^(\S{1,64})/.exec(info))?.[1] ?? '';
    const body = this.#phrases.raw(token.content);
    const node =
      language === 'math'
        ? extensionNode({ name: 'math', attributes: { display: 'block' }, body }, { start, end })
        : extensionNode({ name: 'code-block', attributes: { lang: language }, body }, { start, end });
    this.#builder.leaf(node, true);
  }

  // Lines ---------------------------------------------------------------------------------------------------------

  /** Returns the offset where the content ends. */
  #inline(token: Token, line: number, from: number, before: Token | undefined): number {
    const isCell = before?.type === 'th_open' || before?.type === 'td_open';
    const place = this.#page.source.lines.place(
      token.content,
      token.map?.[0] ?? line,
      isCell ? from : undefined,
    );
    if (before?.type === 'paragraph_open' && this.#isCallAlone(token)) {
      for (const { span } of piecesOf(token.content)) if (span !== undefined) this.#phrases.span(span, true);
    } else this.#phrases.phrase(token.children ?? [], place);
    return place.offset(token.content.length);
  }

  /** A template may produce a table or a list, which must not be wrapped in a paragraph. */
  #isCallAlone(token: Token | undefined): boolean {
    if (token?.type !== 'inline' || !hasSpan(token.content)) return false;
    for (const { text, span } of piecesOf(token.content)) {
      if (span === undefined ? text?.trim() !== '' : this.#page.source.spans[span]?.kind === 'link')
        return false;
    }
    return true;
  }
}
