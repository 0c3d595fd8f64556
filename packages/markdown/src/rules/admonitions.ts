/**
 * Boxes that set text apart, in the three common notations. All become the same kind of box.
 *
 *   ::: warning Title          !!! note "Title"           > [!tip]- Title
 *   text                           text                   > text
 *   :::
 *
 * A title is Markdown. `:::tip[Title]` and `:::tip{title="Title"}` are Docusaurus's forms, `::: {.callout-tip title="Title"}` is Quarto's, and `!!! note ""` has no title, as in MkDocs.
 * `??? note` and `[!tip]-` are collapsed at first, `???+` and `[!tip]+` are open at first.
 */
import type { MarkdownIt, StateBlock, Token } from 'markdown-it';

type TokenClass = typeof Token;

/** `title`: undefined for the name of the kind, empty for none. */
export type Box = { kind: string; title?: string | undefined; folded?: 'open' | 'closed' | undefined };

const fenced =
  /^(:{3,})[ \t]*(?:\{\.?)?([a-z][\w-]{0,40})\}?(?:\[(.*)\][ \t]*(?:\{[^{}]*\})?[ \t]*|(\{[^{}]*\})[ \t]*|[ \t]+(.*))?$/i;
const indented =
  /^(!!!|\?\?\?\+?)[ \t]+([a-z][\w-]{0,40})((?:[ \t]+[a-z][\w-]{0,40}){0,3})(?:[ \t]+"(.*)")?[ \t]*$/i;
/** Words after the kind that place a box, as MkDocs has them. Others are shown, so that no word is lost. */
const placing = /^(?:[ \t]+(?:inline|end))*$/i;
/** Obsidian's themes read words behind a bar: `[!note|wide]`. They are left out. */
const callout = /^\[!([a-z][\w-]{0,40})(?:\|[^\]]*)?\]([+-]?)[ \t]*(.*)$/i;
/** Quarto writes `::: {.callout-note title="Title"}`, and Pandoc any class. */
const attributed = /^(:{3,})[ \t]*\{[ \t]*\.(?:callout-)?([a-z][\w-]{0,40})([^{}]*)\}[ \t]*$/i;

export function admonitions(parser: MarkdownIt): void {
  const interrupts = { alt: ['paragraph', 'reference', 'blockquote', 'list'] };
  parser.block.ruler.before('fence', 'fenced_box', fencedBox, interrupts);
  parser.block.ruler.before('fence', 'indented_box', indentedBox, interrupts);
  parser.core.ruler.before('inline', 'callouts', (state) => {
    state.tokens = withCallouts(state.tokens, state.Token);
  });
}

function lineOf(state: StateBlock, line: number): string {
  if ((state.sCount[line] ?? 0) - state.blkIndent >= 4) return '';
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
}

function fencedBox(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const first = lineOf(state, startLine);
  const pandoc = attributed.exec(first);
  const match = pandoc ?? fenced.exec(first);
  if (!match) return false;
  if (silent) return true;
  const [, colons = '', kind = ''] = match;
  const [label = '', attributes = '', written] = pandoc ? ['', pandoc[3]] : match.slice(3);
  const given = /[\s{]title=(?:"([^"]*)"|'([^']*)')/.exec(attributes);
  const title = written ?? given?.[1] ?? given?.[2] ?? label;
  let line = startLine + 1;
  // Inner boxes are closed by as many colons as opened them.
  let depth = 0;
  for (; line < endLine && (state.sCount[line] ?? 0) >= state.blkIndent; line++) {
    const text = lineOf(state, line).trimEnd();
    if (!text.startsWith(':::')) continue;
    if (/^:{3,}$/.test(text)) {
      if (depth === 0 && text.length >= colons.length) break;
      if (depth > 0) depth--;
    } else if (fenced.test(text) || attributed.test(text)) depth++;
  }
  const isFolded = kind === 'details' || /[ \t]collapse="?true\b/.test(attributes);
  const folded = isFolded ? 'closed' : /[ \t]collapse="?false\b/.test(attributes) ? 'open' : undefined;
  box(state, { startLine, endLine: line, indent: 0 }, { kind, title: title.trim() || undefined, folded });
  state.line = line < endLine && /^:{3,}$/.test(lineOf(state, line).trimEnd()) ? line + 1 : line;
  return true;
}

function indentedBox(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const match = indented.exec(lineOf(state, startLine));
  if (!match) return false;
  if (silent) return true;
  const [, mark, kind = '', others = '', quoted] = match;
  const title = quoted ?? (placing.test(others) ? undefined : kind + others);
  let line = startLine + 1;
  let last = line;
  for (; line < endLine; line++) {
    if (state.isEmpty(line)) continue;
    if ((state.sCount[line] ?? 0) - state.blkIndent < 4) break;
    last = line + 1;
  }
  const folded = mark === '???' ? 'closed' : mark === '???+' ? 'open' : undefined;
  box(state, { startLine, endLine: last, indent: 4 }, { kind, title, folded });
  state.line = last;
  return true;
}

/** Builds the box around the lines after the first, which are indented by `indent` columns more. */
function box(
  state: StateBlock,
  { startLine, endLine, indent }: { startLine: number; endLine: number; indent: number },
  meta: Box,
): void {
  const { lineMax, blkIndent, parentType } = state;
  const open = state.push('box_open', 'div', 1);
  open.meta = meta;
  open.map = [startLine, endLine];
  state.tokens.push(...titleTokens(meta, startLine, state.level, state.Token));
  state.parentType = 'blockquote';
  state.lineMax = endLine;
  state.blkIndent += indent;
  state.md.block.tokenize(state, startLine + 1, endLine);
  state.parentType = parentType;
  state.lineMax = lineMax;
  state.blkIndent = blkIndent;
  state.push('box_close', 'div', -1).meta = meta;
}

/** The title as inline content, which the parser reads like that of a paragraph. */
function titleTokens({ title }: Box, line: number, level: number, Token: TokenClass): Token[] {
  if (!title) return [];
  const inline = new Token('inline', '', 0);
  Object.assign(inline, { content: title, children: [], map: [line, line + 1], level: level + 1 });
  return [new Token('box_title_open', '', 1), inline, new Token('box_title_close', '', -1)];
}

/** Turns quotes whose first line names the kind of box into boxes. */
function withCallouts(tokens: readonly Token[], Token: TokenClass): Token[] {
  const out: Token[] = [];
  const open: (Box | undefined)[] = [];
  for (const [index, token] of tokens.entries()) {
    out.push(token);
    if (token.type === 'blockquote_close') {
      const meta = open.pop();
      if (meta) Object.assign(token, { type: 'box_close', meta });
    }
    if (token.type !== 'blockquote_open') continue;
    const first = tokens[index + 2];
    const isText = tokens[index + 1]?.type === 'paragraph_open' && first?.type === 'inline';
    const [line = '', ...others] = isText ? first.content.split('\n', 1) : [];
    const match = isText ? callout.exec(line) : null;
    if (!match || !first || others.length > 0) {
      open.push(undefined);
      continue;
    }
    const folded = match[2] === '-' ? 'closed' : match[2] === '+' ? 'open' : undefined;
    const meta: Box = { kind: match[1] ?? '', title: match[3]?.trim() || undefined, folded };
    open.push(meta);
    Object.assign(token, { type: 'box_open', meta });
    out.push(...titleTokens(meta, first.map?.[0] ?? 0, token.level, Token));
    first.content = first.content.slice(line.length + 1);
    if (first.map) first.map = [first.map[0] + 1, first.map[1]];
    if (first.content === '')
      for (const at of [1, 2, 3]) Object.assign(tokens[index + at] ?? {}, { type: 'nothing' });
  }
  return out;
}
