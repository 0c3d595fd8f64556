/**
 * Markdown's grammar: CommonMark and GitHub's tables by `markdown-it`, plus one file for each extension that people use. The
 * parser was chosen by measurement: of those with positions or extensions, only this one is linear on hostile texts.
 */
import createMarkdownIt, { type MarkdownIt, type StateInline, type Token } from 'markdown-it';
import cjkFriendly from 'markdown-it-cjk-friendly';
import definitionLists from 'markdown-it-deflist';
import highlighted from 'markdown-it-mark';
import superscript from 'markdown-it-sup';
import { addresses } from './rules/addresses.ts';
import { admonitions } from './rules/admonitions.ts';
import { attributes } from './rules/attributes.ts';
import { blockMarks } from './rules/block-marks.ts';
import { comments } from './rules/comments.ts';
import { formulas } from './rules/formulas.ts';
import { imageSize } from './rules/image-size.ts';
import { notes } from './rules/notes.ts';
import { partLimit } from './rules/part-limit.ts';
import { quotes } from './rules/quotes.ts';
import { strikethrough } from './rules/strikethrough.ts';

/** Maximum nesting of blocks; anything deeper is text. */
const maxNesting = 100;

/** Offsets of an inline token in the content of its block. Only the last token of a construct has an end. */
export type PlacedToken = Token & { at?: number; end?: number };

/** Returns a parser with all constructs of pages; `isPlain`: without the wiki's own. */
export function createParser({ isPlain = false } = {}): MarkdownIt {
  const parser = createMarkdownIt({ html: true, linkify: false, typographer: false, maxNesting });
  // Every address is accepted here; whether it may be a link is decided when the tree is built, by the rules of both languages.
  parser.validateLink = () => true;
  parser.normalizeLink = (address) => address;
  parser.core.ruler.disable(['text_join', 'linkify', 'replacements', 'smartquotes']);
  parser.inline.ruler2.disable('fragments_join');
  const Inline = parser.inline.State;
  parser.inline.State = class PlacedState extends Inline {
    override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
      const token: PlacedToken = super.push(type, tag, nesting);
      token.at = this.pos;
      return token;
    }
    override pushPending(): Token {
      const { pending, pos } = this;
      const from = Math.max(0, pos - pending.length - 2);
      const found = this.src.slice(from, pos).lastIndexOf(pending);
      const token: PlacedToken = super.pushPending();
      token.at = found < 0 ? pos - pending.length : from + found;
      return token;
    }
  };
  placeTokens(parser);
  keepDeepText(parser);
  partLimit(parser);
  parser.use(quotes);
  parser.use(strikethrough);
  if (isPlain) return parser;
  return parser
    .use(definitionLists)
    .use(highlighted)
    .use(superscript)
    .use(addresses)
    .use(admonitions)
    .use(comments)
    .use(formulas)
    .use(notes)
    .use(attributes)
    .use(imageSize)
    .use(blockMarks)
    .use(cjkFriendly);
}

/** Reads inline content as the parser itself does, and notes where the tokens of each construct begin and end. */
function placeTokens(parser: MarkdownIt): void {
  parser.inline.tokenize = (state) => {
    const rules = parser.inline.ruler.getRules('');
    const { posMax } = state;
    while (state.pos < posMax) {
      const start = state.pos;
      const first = state.tokens.length + (state.pending === '' ? 0 : 1);
      let rule = state.level < maxNesting ? 0 : rules.length;
      while (rule < rules.length && !rules[rule]?.(state, false)) rule++;
      if (rule < rules.length) place(state, first, start);
      else state.pending += state.src[state.pos++];
    }
    if (state.pending) state.pushPending();
  };
}

/** Places the tokens from `first` on, which were made of the text from `start` to the current position. */
function place({ tokens, pos }: StateInline, first: number, start: number): void {
  const [begin, middle] = [tokens[first], tokens[first + 1]] as (PlacedToken | undefined)[];
  const last: PlacedToken | undefined = tokens.at(-1);
  // Bare addresses begin within the text before, and are placed by their own rule.
  if (!begin || !last || (last.info === 'auto' && last.markup === '')) return;
  begin.at = start;
  last.end = pos;
  // Marks of emphasis beside each other.
  for (let index = first, at = start; tokens[index]?.type === 'text'; index++) {
    const token = tokens[index] as PlacedToken;
    token.at = at;
    at += token.content.length;
  }
  // `<address>`, `^a^` and `~a~` are made at once.
  if (middle?.type === 'text' && tokens.length === first + 3 && (last.at ?? 0) <= start + 1) {
    middle.at = start + 1;
    last.at = pos - 1;
  }
}

/** The parser drops what is nested too deeply; this makes it a paragraph of plain text instead. */
function keepDeepText(parser: MarkdownIt): void {
  const tokenize = parser.block.tokenize.bind(parser.block);
  parser.block.tokenize = (state, startLine, endLine) => {
    if (state.level < maxNesting) {
      tokenize(state, startLine, endLine);
      return;
    }
    state.push('paragraph_open', 'p', 1).map = [startLine, endLine];
    const token = state.push('inline', '', 0);
    token.content = state.getLines(startLine, endLine, state.blkIndent, false).trim();
    token.map = [startLine, endLine];
    token.children = [];
    state.push('paragraph_close', 'p', -1);
    state.line = endLine;
  };
}
