/**
 * %%A comment%% as in Obsidian: within a line, or over several lines, the first of which begins and the last of which ends with
 * the mark.
 */
import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it';

export function comments(parser: MarkdownIt): void {
  parser.inline.ruler.before('text', 'comment', inline);
  parser.block.ruler.before('fence', 'comment', block, { alt: ['paragraph', 'blockquote', 'list'] });
}

function inline(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith('%%', state.pos)) return false;
  const end = state.src.indexOf('%%', state.pos + 2);
  if (end < 0 || end + 2 > state.posMax) return false;
  if (!silent) state.push('comment', '', 0);
  state.pos = end + 2;
  return true;
}

function block(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const lineOf = (line: number) =>
    state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
  const first = lineOf(startLine);
  if (!first.startsWith('%%') || first.indexOf('%%', 2) >= 0) return false;
  // A paragraph or list asks whether a comment interrupts it; it does so only if the comment is closed.
  const end = closingLine(state, startLine, endLine, lineOf);
  if (end < 0) return false;
  if (silent) return true;
  state.line = end + 1;
  return true;
}

/** Searched for once per document: if the end is missing here, it is missing for all comments that follow. */
function closingLine(
  state: StateBlock,
  startLine: number,
  endLine: number,
  lineOf: (line: number) => string,
): number {
  const env = state.env as { commentsEnd?: number };
  if (env.commentsEnd !== undefined && env.commentsEnd >= endLine) return -1;
  for (let line = startLine + 1; line < endLine; line++)
    if (lineOf(line).trimEnd().endsWith('%%')) return line;
  env.commentsEnd = endLine;
  return -1;
}
