/**
 * Estimates the CPU time of reading a text, so that only short work is done on the main thread. Plain prose is fast; marks cost
 * most of the time. The factors are those of the slowest texts of each language.
 */
import type { ExpandedText } from '#core/content/language.ts';
import type { Format } from '#core/model/page.ts';

/** Microseconds for each character and for each one that may be markup. */
const costs = { wikitext: { each: 0.03, mark: 1.2 }, markdown: { each: 0.15, mark: 5 } } as const;

/** 1 for each ASCII character that is neither a letter nor a digit nor a space. */
const marks = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w ,.]/.test(String.fromCharCode(code)) ? 0 : 1,
);

/** Microseconds; stops counting beyond `enough`, so that the estimate itself is fast. */
export function estimate(text: string, format: Format, enough: number): number {
  const { each, mark } = costs[format];
  let cost = text.length * each;
  for (let at = 0; at < text.length && cost <= enough; at++)
    if (marks[text.charCodeAt(at)] === 1) cost += mark;
  return format === 'markdown' && cost <= enough ? cost + mark * addedCells(text) : cost;
}

/** Number of cells that Markdown adds at most, because all rows of a table have as many as its head. */
function addedCells(text: string): number {
  let added = 0;
  for (const block of text.split('\n\n')) {
    if (!block.includes('|')) continue;
    const cells = block.split('\n').map((line) => line.split('|').length);
    const most = cells.reduce((most, count) => Math.max(most, count), 0);
    added += cells.reduce((sum, count) => sum + most - count, 0);
  }
  return added;
}

export function estimateExpanded(
  { format, text, calls }: Pick<ExpandedText, 'format' | 'text' | 'calls'>,
  enough: number,
): number {
  return calls.reduce(
    (sum, call) => (sum > enough ? sum : sum + estimate(call, 'wikitext', enough)),
    estimate(text, format, enough),
  );
}
