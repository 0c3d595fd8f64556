/**
 * Footnotes: text[^name], text^[an inline note], and the note's text further down:
 *
 *   [^name]: One paragraph,
 *       and more if it is indented by four.
 */
import { char } from '@coppice/wikitext/build';
import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it';

const label = /\[\^([^\s\]^]{1,200})\]/y;
const definition = /\[\^([^\s\]^]{1,200})\]:[ \t]*/y;

export function notes(parser: MarkdownIt): void {
  parser.inline.ruler.before('link', 'note', reference);
  parser.inline.ruler.before('link', 'inline_note', inlineNote);
  parser.block.ruler.before('reference', 'note', block, { alt: ['paragraph', 'reference'] });
}

function reference(state: StateInline, silent: boolean): boolean {
  if (
    state.src.charCodeAt(state.pos) !== char.openBracket ||
    state.src.charCodeAt(state.pos + 1) !== char.caret
  )
    return false;
  label.lastIndex = state.pos;
  const match = label.exec(state.src);
  const { notes } = state.env as { notes?: Set<string> };
  if (!match?.[1] || match.index + match[0].length > state.posMax || !notes?.has(keyOf(match[1])))
    return false;
  if (!silent) state.push('note', '', 0).meta = { name: keyOf(match[1]) };
  state.pos += match[0].length;
  return true;
}

function inlineNote(state: StateInline, silent: boolean): boolean {
  if (
    state.src.charCodeAt(state.pos) !== char.caret ||
    state.src.charCodeAt(state.pos + 1) !== char.openBracket
  )
    return false;
  const end = state.md.helpers.parseLinkLabel(state, state.pos + 1);
  if (end < 0) return false;
  if (!silent) {
    const token = state.push('note', '', 0);
    token.content = state.src.slice(state.pos + 2, end);
    token.children = [];
    state.md.inline.parse(token.content, state.md, state.env, token.children);
  }
  state.pos = end + 1;
  return true;
}

function block(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  definition.lastIndex = start;
  const match = definition.exec(state.src);
  if (!match?.[1] || match.index + match[0].length > (state.eMarks[startLine] ?? 0)) return false;
  if (silent) return true;
  const env = state.env as { notes?: Set<string> };
  env.notes ??= new Set();
  env.notes.add(keyOf(match[1]));
  const open = state.push('note_open', '', 1);
  open.meta = { name: keyOf(match[1]) };
  open.map = [startLine, startLine + 1];
  const { bMarks, tShift, sCount, blkIndent, parentType } = state;
  const [mark, shift, count] = [bMarks[startLine] ?? 0, tShift[startLine] ?? 0, sCount[startLine] ?? 0];
  // The rest of the first line is parsed as if it were indented by four.
  bMarks[startLine] = start + match[0].length;
  tShift[startLine] = 0;
  sCount[startLine] = blkIndent + 4;
  state.blkIndent += 4;
  state.parentType = 'footnote';
  state.md.block.tokenize(state, startLine, endLine);
  state.blkIndent = blkIndent;
  state.parentType = parentType;
  bMarks[startLine] = mark;
  tShift[startLine] = shift;
  sCount[startLine] = count;
  open.map[1] = state.line;
  state.push('note_close', '', -1);
  return true;
}

function keyOf(name: string): string {
  return name.toLowerCase();
}
