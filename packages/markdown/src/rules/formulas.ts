/**
 * Formulas, within a line: $x^2$, $$x$$, \(x^2\) and \[x^2\]; as a block on one or several lines: $$…$$ and \[…\].
 *
 * A dollar that begins a formula has no space after it, the one that ends it none before it and no digit after it, so that
 * "$5 and $6" stays money. Assistants write the brackets with backslashes; in CommonMark those are brackets that are no link, so
 * words and numbers between them remain text: `\[citation needed\]`, `\[1\]`, `\[label\](not a link)`.
 */
import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it';

const dollar = 36;
const backslash = 92;

export function formulas(parser: MarkdownIt): void {
  parser.inline.ruler.before('escape', 'bracket_formula', betweenBrackets);
  parser.inline.ruler.after('escape', 'formula', betweenDollars);
  parser.block.ruler.after('fence', 'formula', block, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
}

function betweenBrackets(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  const mark = src[pos + 1];
  if (src.charCodeAt(pos) !== backslash || (mark !== '(' && mark !== '[')) return false;
  const isDisplay = mark === '[';
  const end = endOf(state, isDisplay ? '\\]' : '\\)', pos + 2);
  if (end < 0 || end >= posMax || /[[!\]]/.test(src[pos - 1] ?? '')) return false;
  // A label may hold brackets; a formula on a line of its own is none.
  if (isDisplay && state.linkLevel > 0) return false;
  const content = src.slice(pos + 2, end);
  if (isProse(content, isDisplay) || /^(?:\\?[([]|:)/.test(src.slice(end + 2, end + 4))) return false;
  if (!silent) push(state, content.trim(), isDisplay);
  state.pos = end + 2;
  return true;
}

/** Each end is searched for once beyond the last one found, however many beginnings there are. */
function endOf({ src, env }: StateInline, end: string, from: number): number {
  const { ends = new Map() } = env as { ends?: Map<string, { src: string; at: number; from: number }> };
  (env as { ends: typeof ends }).ends = ends;
  const known = ends.get(end);
  if (known?.src === src && from >= known.from && (known.at < 0 || from <= known.at)) return known.at;
  const at = src.indexOf(end, from);
  ends.set(end, { src, at, from });
  return at;
}

/** Several words, or in square brackets any word or number: an escaped bracket. */
function isProse(content: string, isDisplay: boolean): boolean {
  // The beginning is enough, and costs the same for every length.
  const text = content.slice(0, 300).trim();
  if (text === '') return true;
  if (/[\\^_={}<>+*/|]/.test(text)) return false;
  return (
    /[\p{L}\d’']{2,}[,.;:]?\s+\S*\p{L}{2,}/u.test(text) ||
    (isDisplay && /^(?:\d+|[\p{L}\p{M}]{2,}.*)$/su.test(text))
  );
}

function betweenDollars(state: StateInline, silent: boolean): boolean {
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
  const content = src.slice(from, end);
  // GitHub's form for formulas with signs of Markdown.
  const isCode = !isDisplay && content.length > 2 && content.startsWith('`') && content.endsWith('`');
  if (!silent) push(state, isCode ? content.slice(1, -1) : content, isDisplay);
  state.pos = end + (isDisplay ? 2 : 1);
  return true;
}

function push(state: StateInline, content: string, isDisplay: boolean): void {
  const token = state.push('formula', 'math', 0);
  token.content = content;
  token.meta = { isDisplay };
}

function block(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
  const opener = state.src.slice(start, start + 2);
  if ((opener !== '$$' && opener !== '\\[') || (state.sCount[startLine] ?? 0) - state.blkIndent >= 4)
    return false;
  const closer = opener === '$$' ? '$$' : '\\]';
  const first = state.src.slice(start + 2, state.eMarks[startLine]).trimEnd();
  // A formula closed on its own line is a block only if nothing follows it.
  const closed = first.indexOf(closer);
  if (closed >= 0 && closed !== first.length - 2) return false;
  if (
    opener === '\\[' &&
    (closed < 0 ? first.trim() !== '' && isProse(first, true) : isProse(first.slice(0, -2), true))
  )
    return false;
  let line = startLine;
  let last = first;
  type Unclosed = { indent: number; end: number };
  const { unclosed = new Map<string, Unclosed>() } = state.env as { unclosed?: Map<string, Unclosed> };
  (state.env as { unclosed: typeof unclosed }).unclosed = unclosed;
  if (closed < 0) {
    // Searched for once per block: if the end is missing here, it is missing for all formulas that begin before it.
    const missing = unclosed.get(opener);
    if (missing && startLine < missing.end && state.blkIndent >= missing.indent) return false;
    for (line++; line < endLine && (state.sCount[line] ?? 0) >= state.blkIndent; line++) {
      last = state.src
        .slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line])
        .trimEnd();
      if (last.endsWith(closer)) break;
    }
    if (line >= endLine || !last.endsWith(closer)) {
      unclosed.set(opener, { indent: state.blkIndent, end: line });
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
      ? first.slice(0, -2).trim()
      : `${first}\n${state.getLines(startLine + 1, line, state.blkIndent, false)}\n${last.slice(0, -2)}`.trim();
  state.line = line + 1;
  return true;
}
