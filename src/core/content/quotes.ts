/**
 * Finding quoted words in a text, without regard to white space: what people select in a browser has other line ends than the
 * plain text of the page.
 */
import type { Quote } from '../ports/comment-store.ts';

/** Characters of context before and after a quote. */
export const contextLength = 64;

/** A text without white space, and where each of its characters is in the text. */
export interface Squeezed {
  text: string;
  squeezed: string;
  /** Positions of the characters of `squeezed`. */
  at: Uint32Array;
}

/** The text without white space, with the position of each remaining unit in the text. */
export function squeeze(text: string): Squeezed {
  const at = new Uint32Array(text.length);
  let squeezed = '';
  let from = 0;
  let length = 0;
  for (const { 0: space, index } of text.matchAll(/\s+/g)) {
    squeezed += text.slice(from, index);
    for (; from < index; from++) at[length++] = from;
    from = index + space.length;
  }
  squeezed += text.slice(from);
  for (; from < text.length; from++) at[length++] = from;
  return { text, squeezed, at: at.subarray(0, length) };
}

/** The text without white space, in which quotes are compared. */
export function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '');
}

export interface Range {
  start: number;
  end: number;
}

type WrittenQuote = Pick<Quote, 'text' | 'before' | 'after'>;

/** Most occurrences that are compared by their context. */
const maxOccurrences = 1000;

/** Occurrences of the words, in order. */
export function occurrencesOf({ squeezed, at }: Squeezed, text: string): Range[] {
  const words = withoutSpace(text);
  const found: Range[] = [];
  if (words === '') return found;
  for (let index = squeezed.indexOf(words); index >= 0 && found.length < maxOccurrences; ) {
    found.push({ start: at[index] ?? 0, end: (at[index + words.length - 1] ?? 0) + 1 });
    index = squeezed.indexOf(words, index + 1);
  }
  return found;
}

/** The occurrence whose context is most like that of the quote; the first one of those that are equally alike. */
export function locate(
  text: Squeezed,
  quote: WrittenQuote,
  among: readonly Range[] = occurrencesOf(text, quote.text),
): Range | undefined {
  const [before, after] = [withoutSpace(quote.before), withoutSpace(quote.after)];
  let best: Range | undefined;
  let most = -1;
  for (const range of among) {
    const likeness =
      commonEnd(
        withoutSpace(text.text.slice(Math.max(0, range.start - 2 * contextLength), range.start)),
        before,
      ) + commonStart(withoutSpace(text.text.slice(range.end, range.end + 2 * contextLength)), after);
    if (likeness > most) [best, most] = [range, likeness];
  }
  return best;
}

/** Finds words as `locate` does, also where words and text write letters with accents in different forms of Unicode. */
export function locateGiven(text: Squeezed, { text: words, before, after }: WrittenQuote): Range | undefined {
  const as = (form: 'NFC' | 'NFD') => {
    const [one, two, three] = [words, before, after].map((part) => part.normalize(form));
    return locate(text, { text: one ?? '', before: two ?? '', after: three ?? '' });
  };
  return locate(text, { text: words, before, after }) ?? as('NFC') ?? as('NFD');
}

/** The quote of these words as it is stored, with context from the page's text. */
export function quoteAt(text: string, { start, end }: Range): Quote {
  return {
    text: text.slice(start, end),
    before: text.slice(Math.max(0, start - contextLength), start).toWellFormed(),
    after: text.slice(end, end + contextLength).toWellFormed(),
    start,
    end,
    state: 'present',
    goneId: null,
  };
}

/** Length in UTF-16 units of the beginning that both texts share. */
function commonStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a[length] === b[length]) length++;
  return length;
}

/** Length in UTF-16 units of the end that both texts share. */
function commonEnd(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a[a.length - 1 - length] === b[b.length - 1 - length]) length++;
  return length;
}
