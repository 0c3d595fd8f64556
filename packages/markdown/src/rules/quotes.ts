/**
 * A limit on the lines that are searched for the ends of quotes. The parser looks for each end in all lines that could go on
 * with the quote's last paragraph, up to the next blank line, also where the quote ends without a paragraph:
 *
 *   x                  the second line is a quote of its own, but all lines
 *   > ---              after it are searched for its end, and so for each
 *   x                  of the quotes below
 *   > ---
 *
 * Once a text has taken too many such lines, quotes end with their last `>`.
 */
import type { MarkdownIt, StateBlock } from 'markdown-it';

const maxLines = 200_000;
const sign = 62;

export function quotes(parser: MarkdownIt): void {
  parser.block.ruler.before('blockquote', 'quote limit', (state, startLine, endLine, silent) => {
    if (silent || !isQuoted(state, startLine)) return false;
    let end = startLine + 1;
    while (end < endLine && isQuoted(state, end)) end++;
    const env = state.env as { searchedLines?: number };
    let { searchedLines = 0 } = env;
    if (searchedLines <= maxLines) {
      for (let line = end; line < endLine && !state.isEmpty(line); line++) searchedLines++;
      env.searchedLines = searchedLines;
      return false;
    }
    if (end === endLine) return false;
    const { lineMax } = state;
    state.lineMax = end;
    parser.block.tokenize(state, startLine, end);
    state.lineMax = lineMax;
    return true;
  });
}

function isQuoted({ src, bMarks, tShift, sCount, blkIndent }: StateBlock, line: number): boolean {
  const indent = (sCount[line] ?? 0) - blkIndent;
  return indent >= 0 && indent < 4 && src.charCodeAt((bMarks[line] ?? 0) + (tShift[line] ?? 0)) === sign;
}
