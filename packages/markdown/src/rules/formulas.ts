/**
 * Inline $x^2$: the first dollar has no space after it, the last none before it and no digit after it, so that "$5 and $6"
 * stays money. $$…$$ on one or several lines is a block.
 */
import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it';

const dollar = 36;

export function formulas(parser: MarkdownIt): void {
  parser.inline.ruler.after('escape', 'formula', inline);
  parser.block.ruler.after('fence', 'formula', block, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
}

function inline(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (src.charCodeAt(pos) !== dollar) return false;
  const isDisplay = src.charCodeAt(pos + 1) === dollar;
  const from = pos + (isDisplay ? 2 : 1);
  const end = src.indexOf(isDisplay ? '$$' : '$', from);
  if (end <= from || end >= posMax) return false;
  if (
    !isDisplay &&
    (/\s/.test(src[from] ?? ' ') || /[\s\\]/.test(src[end - 1] ?? ' ') || /\d/.test(src[end + 1] ?? ''))
  )
    return false;
  if (!silent) {
    const token = state.push('formula', 'math', 0);
    token.content = src.slice(from, end);
    token.meta = { isDisplay };
  }
  state.pos = end + (isDisplay ? 2 : 1);
  return true;
}

function block(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
  if (!state.src.startsWith('$$', start) || (state.sCount[startLine] ?? 0) - state.blkIndent >= 4)
    return false;
  const first = state.src.slice(start + 2, state.eMarks[startLine]).trimEnd();
  // A formula closed on its own line is a block only if nothing follows it.
  const closed = first.indexOf('$$');
  if (closed >= 0 && closed !== first.length - 2) return false;
  let line = startLine;
  let last = first;
  const env = state.env as { unclosed?: { indent: number; end: number } };
  if (closed < 0) {
    // Searched for once per block: if the end is missing here, it is missing for all formulas that begin before it.
    if (env.unclosed && startLine < env.unclosed.end && state.blkIndent >= env.unclosed.indent) return false;
    for (line++; line < endLine && (state.sCount[line] ?? 0) >= state.blkIndent; line++) {
      last = state.src
        .slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line])
        .trimEnd();
      if (last.endsWith('$$')) break;
    }
    if (line >= endLine || !last.endsWith('$$')) {
      env.unclosed = { indent: state.blkIndent, end: line };
      return false;
    }
  }
  if (silent) return true;
  const token = state.push('formula', 'math', 0);
  token.block = true;
  token.map = [startLine, line + 1];
  token.meta = { isDisplay: true };
  token.content =
    closed >= 0
      ? first.slice(0, -2)
      : `${first}\n${state.getLines(startLine + 1, line, state.blkIndent, false)}\n${last.slice(0, -2)}`.trim();
  state.line = line + 1;
  return true;
}
