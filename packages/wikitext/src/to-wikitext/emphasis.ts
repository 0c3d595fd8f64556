/**
 * Writes bold and italic text with apostrophes, one line at a time. The writer first inserts control characters as
 * placeholders, because the number of apostrophes, and whether a `<nowiki/>` must separate them from those of the text, depends
 * on the whole line. `inlines/quote.ts` has the rules for reading.
 *
 *   <i>a</i><i>b</i>    ''ab''           L'<i>amour</i>    L'''amour''
 *   <i>a</i>'s          ''a''<nowiki/>'s
 */

/** Placeholders for the marks: control characters, which no page contains. */
export const italicOpen = '\u0001';
export const italicClose = '\u0002';
export const boldOpen = '\u0003';
export const boldClose = '\u0004';

/**
 * Maximum number of trials per line. After that, every place that may need a `<nowiki/>` gets one, which keeps the time linear.
 */
const mostTries = 8;

type Run = {
  text: string;
  /** Number of apostrophes at the end of `text`. */
  before: number;
  /** Number of apostrophes that mark emphasis here: 0, 2, 3 or 5. */
  marks: number;
  isParted: boolean;
  bold: boolean;
  italic: boolean;
};

/** Removes control characters, which would be taken for placeholders. */
export function withoutPlaceholders(text: string): string {
  return /[\0-\u0008]/.test(text) ? text.replace(/[\0-\u0008]/g, '') : text;
}

/** Replaces the marks of emphasis in a text, U+0001 to U+0004, by apostrophes, line by line. */
export function writeEmphasis(text: string): string {
  if (!/[\u0001-\u0004]/.test(text)) return text;
  return text
    .split('\n')
    .map((line) => (/[\u0001-\u0004]/.test(line) ? emphasisOfLine(line) : line))
    .join('\n');
}

function emphasisOfLine(line: string): string {
  const runs: Run[] = [];
  let bold = false;
  let italic = false;
  let boldDepth = 0;
  let italicDepth = 0;
  let from = 0;
  for (const { 0: marks, index } of line.matchAll(/[\u0001-\u0004]+/g)) {
    const wasBold = bold;
    const wasItalic = italic;
    for (const mark of marks) {
      if (mark === boldOpen) boldDepth++;
      else if (mark === boldClose) boldDepth--;
      else if (mark === italicOpen) italicDepth++;
      else italicDepth--;
    }
    bold = boldDepth > 0;
    italic = italicDepth > 0;
    const needed = (bold === wasBold ? 0 : 3) + (italic === wasItalic ? 0 : 2);
    const text = line.slice(from, index);
    from = index + marks.length;
    if (needed === 0 && runs.length > 0 && text === '') continue;
    const before = /(?<!')'*$/.exec(text)?.[0].length ?? 0;
    runs.push({ text, before, marks: needed, isParted: false, bold, italic });
  }
  const rest = line.slice(from);
  for (let tries = 0; !isReadBack(runs, line); tries++) {
    const next = runs.findIndex((run) => run.before > 0 && run.marks > 0 && !run.isParted);
    if (next < 0) break;
    for (const run of tries < mostTries ? runs.slice(next, next + 1) : runs) run.isParted = true;
  }
  const out: string[] = [];
  let endsWithMark = false;
  for (const run of runs) {
    if (endsWithMark && run.text.startsWith("'")) out.push('<nowiki/>');
    out.push(run.text);
    // Two marks without text between them would be read as one.
    if ((run.isParted && run.before > 0) || (run.text === '' && endsWithMark && run.marks > 0))
      out.push('<nowiki/>');
    out.push("'".repeat(run.marks));
    endsWithMark = run.marks > 0 || (endsWithMark && run.text === '');
  }
  if (endsWithMark && rest.startsWith("'")) out.push('<nowiki/>');
  return out.join('') + rest;
}

/** Whether a parser would find the intended emphasis, by the rules of `inlines/quote.ts` on the numbers of apostrophes. */
function isReadBack(runs: readonly Run[], line: string): boolean {
  const counts = runs
    .filter(({ marks }) => marks > 0)
    .map((run) => {
      const total = run.marks + (run.isParted ? 0 : run.before);
      const count = total === 4 ? 3 : total > 5 ? 5 : total;
      return { run, total, count };
    });
  const bold = counts.filter(({ count }) => count !== 2).length;
  const italic = counts.filter(({ count }) => count !== 3).length;
  if (bold % 2 === 1 && italic % 2 === 1) loosenOne(counts, line);
  let isBold = false;
  let isItalic = false;
  for (const { run, total, count } of counts) {
    if (total - count !== (run.isParted ? 0 : run.before)) return false;
    if (count !== 2) isBold = !isBold;
    if (count !== 3) isItalic = !isItalic;
    if (isBold !== run.bold || isItalic !== run.italic) return false;
  }
  return true;
}

function loosenOne(counts: { run: Run; total: number; count: number }[], line: string): void {
  let afterWord: (typeof counts)[number] | undefined;
  let afterSpace: (typeof counts)[number] | undefined;
  for (const [index, entry] of counts.entries()) {
    if (entry.count !== 3) continue;
    const text = entry.run.text.slice(0, entry.run.text.length - (entry.run.isParted ? 0 : entry.run.before));
    const isFour = entry.total === 4;
    const start = index === 0 && text === '' ? line.slice(0, 0) : text;
    const before = entry.run.isParted ? '>' : isFour ? "'" : start.slice(-1);
    const beforeThat = entry.run.isParted ? '/' : isFour ? start.slice(-1) : start.slice(-2, -1);
    if (before === ' ') afterSpace ??= entry;
    else if (beforeThat === ' ') {
      entry.count = 2;
      return;
    } else afterWord ??= entry;
  }
  const chosen = afterWord ?? afterSpace;
  if (chosen) chosen.count = 2;
}
