/**
 * Carries quotes from one text of a page to the next by the difference of both texts: common beginnings and endings are set aside,
 * then lines are compared, and words within lines that differ.
 *
 * 1. A quote that reads as it was written is `present` where its words went.
 * 2. One that new text of the page has word for word was moved there, and is `present`.
 * 3. One of which at least half stays is `changed`, where its words went. So is one of which a new sentence has nearly all words.
 * 4. Any other is `gone`; its place is where it was. It is looked for again at each later change, which may bring it back.
 */

import type { Quote } from '../ports/comment-store.ts';
import { locate, occurrencesOf, type Range, type Squeezed, squeeze, withoutSpace } from './quotes.ts';
import { type Budget, linesOf, type Same, sameParts } from './same-parts.ts';

export type CarriedQuote = Quote & { id: number };

/** Work for all quotes of a page, and all changes that they are carried through: some two seconds. */
export const carryingBudget = 20_000_000;

/** Quotes in the second text, and what is left of the budget: beyond it, they are only looked for where their words went. */
export interface Carried {
  quotes: CarriedQuote[];
  left: number;
}

/** `changeId`: the change that made the second text. */
export function carryQuotes(
  { before, after }: { before: string; after: string },
  quotes: readonly CarriedQuote[],
  changeId: number,
  left: number = carryingBudget,
): Carried {
  if (before === after || quotes.length === 0) return { quotes: [...quotes], left };
  const budget = { left };
  const same = sameParts(before, after, budget);
  const text = squeeze(after);
  const fresh = freshLines(after, same);
  return {
    quotes: quotes.map((quote) => carried(quote, { same, text, fresh }, changeId, budget)),
    left: budget.left,
  };
}

function carried(
  quote: CarriedQuote,
  { same, text, fresh }: { same: readonly Same[]; text: Squeezed; fresh: Fresh[] },
  changeId: number,
  budget: Budget,
): CarriedQuote {
  const isOriginal = ({ start, end }: Range) =>
    withoutSpace(text.text.slice(start, end)) === withoutSpace(quote.text);
  const kept = quote.state === 'gone' ? undefined : keptPart(quote, same, text.text);
  if (kept && isOriginal(kept)) return { ...quote, ...rangeOf(kept), state: 'present', goneId: null };
  const isFresh = (range: Range) => keptOf(range, same) * 2 < range.end - range.start;
  const moved = spend(budget, text.text.length / 200) && movedTo(quote, text, isFresh, budget);
  if (moved) return { ...quote, ...moved, state: 'present', goneId: null };
  if (kept && kept.share >= 0.5) return { ...quote, ...rangeOf(kept), state: 'changed', goneId: null };
  const alike = quote.state === 'gone' ? undefined : mostAlike(quote.text, fresh, budget);
  if (alike) return { ...quote, ...alike, state: 'changed', goneId: null };
  const at = placeOf(quote.start, same);
  return { ...quote, start: at, end: at, state: 'gone', goneId: quote.goneId ?? changeId };
}

/** Whether there was enough left. */
function spend(budget: Budget, work: number): boolean {
  const isEnough = budget.left >= work;
  if (isEnough) budget.left -= work;
  return isEnough;
}

function movedTo(
  quote: CarriedQuote,
  text: Squeezed,
  isFresh: (range: Range) => boolean,
  budget: Budget,
): Range | undefined {
  const found = occurrencesOf(text, quote.text);
  const among = spend(budget, workOfOccurrence * found.length) ? found : found.slice(0, 1);
  return locate(text, quote, among.filter(isFresh));
}

/** The words of the quote that stay, and the share of its characters, white space aside, that they make of old and new words. */
function keptPart(
  { start, end }: Range,
  same: readonly Same[],
  text: string,
): (Range & { share: number }) | undefined {
  let first: number | undefined;
  let last = 0;
  let kept = 0;
  for (const part of overlapping(same, start, end, 'a')) {
    const [from, to] = [Math.max(start, part.a), Math.min(end, part.a + part.length)];
    first ??= part.b + from - part.a;
    last = part.b + to - part.a;
    kept += to - from;
  }
  const words = text.slice(first, last);
  if (first === undefined || words.trim() === '') return undefined;
  // New words within may be more than the old ones, but not so many that the old ones are scattered among them.
  const share = Math.min(kept / (end - start), (4 * kept) / (last - first));
  return {
    start: first + words.length - words.trimStart().length,
    end: first + words.trimEnd().length,
    share,
  };
}

function rangeOf({ start, end }: Range): Range {
  return { start, end };
}

/** Number of characters of a part of the second text that were in the first. */
function keptOf({ start, end }: Range, same: readonly Same[]): number {
  let kept = 0;
  for (const { b, length } of overlapping(same, start, end, 'b'))
    kept += Math.min(end, b + length) - Math.max(start, b);
  return kept;
}

function overlapping(same: readonly Same[], start: number, end: number, side: 'a' | 'b'): Same[] {
  let low = 0;
  let high = same.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const part = same[middle] as Same;
    if (part[side] + part.length <= start) low = middle + 1;
    else high = middle;
  }
  const found: Same[] = [];
  for (let i = low; i < same.length && (same[i] as Same)[side] < end; i++) found.push(same[i] as Same);
  return found;
}

/** Position in the second text of a position in the first. */
function placeOf(position: number, same: readonly Same[]): number {
  const before = same.findLast(({ a }) => a <= position);
  return before ? before.b + Math.min(position - before.a, before.length) : 0;
}

/** A line of the second text of which most is new. */
interface Fresh extends Range {
  words: ReadonlySet<string>;
  text: string;
  /** Its sentences with their words, once a quote is like the line. */
  sentences?: (Range & { words: ReadonlySet<string> })[];
}

const maxFreshLines = 500;
/** Looking at the context of an occurrence. */
const workOfOccurrence = 50;

function freshLines(after: string, same: readonly Same[]): Fresh[] {
  const found: Fresh[] = [];
  let start = 0;
  for (const line of linesOf(after)) {
    const range = { start, end: start + line.trimEnd().length };
    start += line.length;
    if (range.end === range.start || keptOf(range, same) * 2 >= range.end - range.start) continue;
    if (found.length === maxFreshLines) break;
    found.push({ ...range, text: line, words: new Set(properWords(line)) });
  }
  return found;
}

function properWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}]{2,}/gu) ?? [];
}

/** The new sentence with at least four fifths of the words of the quote, and few others. */
function mostAlike(quote: string, fresh: readonly Fresh[], budget: Budget): Range | undefined {
  const words = [...new Set(properWords(quote))];
  if (words.length < 5) return undefined;
  let best: Range | undefined;
  let most = 0.8;
  for (const line of fresh) {
    if (!spend(budget, words.length)) break;
    if (words.filter((word) => line.words.has(word)).length < 0.8 * words.length) continue;
    line.sentences ??= spend(budget, line.text.length) ? sentencesOf(line) : [];
    for (const sentence of line.sentences) {
      if (!spend(budget, words.length)) break;
      const own = sentence.words;
      const common = words.filter((word) => own.has(word)).length;
      const likeness = (2 * common) / (words.length + own.size);
      if (likeness >= most) [best, most] = [{ start: sentence.start, end: sentence.end }, likeness];
    }
  }
  return best;
}

function sentencesOf({ text, start }: Fresh): (Range & { words: ReadonlySet<string> })[] {
  return Array.from(text.matchAll(/[^.!?\s][^.!?]*(?:[.!?](?!\s)[^.!?]*)*[.!?]*/g), ({ 0: one, index }) => {
    const trimmed = one.trimEnd();
    const words = new Set(properWords(trimmed));
    return { start: start + index, end: start + index + trimmed.length, words };
  });
}
