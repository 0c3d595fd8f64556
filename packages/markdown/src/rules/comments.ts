/** %%A comment%%, as Obsidian has it: within a line, or over lines whose first begins and whose last ends with it. */
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
  // Asked for by a paragraph or a list: only where it ends does it interrupt them.
  const end = closingLine(state, startLine, endLine, lineOf);
  if (end < 0) return false;
  if (silent) return true;
  state.line = end + 1;
  return true;
}

/** Looked for once in each document: where it is missing it is so for all that follow. */
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
