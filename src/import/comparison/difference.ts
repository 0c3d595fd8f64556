/**
 * Compares a page with its source: words as a multiset, then in order, and parts by their number. Linear in the length of both.
 */
import { type Part, parts, type Shown } from './shown.ts';

export interface WordDifference {
  words: number;
  /** The first ones, in the order of the text, consecutive ones together. */
  examples: string[];
}

export interface Difference {
  /** Words of the source that the page does not show. */
  missing?: WordDifference;
  /** Words of the page that the source does not show. */
  added?: WordDifference;
  /** Words that stand elsewhere, if none are missing or added. Notes stand where each program puts them. */
  moved?: WordDifference;
  parts: { part: Part; source: number; here: number }[];
}

/**
 * How exactly a source can be read. `whole`: as its program shows it. `missing only`: its program adds words and parts, such as
 * those of templates, so only what is missing counts.
 */
export type Exactness = 'whole' | 'missing only';

const mostExamples = 5;
const exampleLength = 80;

/** Undefined if nothing differs. `otherwise`: a second reading of the source, by which the page may add words and parts. */
export function differenceOf(
  source: Shown,
  here: Shown,
  exactness: Exactness,
  otherwise = source,
): Difference | undefined {
  const missing = wordsWithout(source.words, here.words);
  const isWhole = exactness === 'whole';
  const added =
    isWhole && wordsWithout(here.words, source.words) && wordsWithout(here.words, otherwise.words);
  const counted = parts.flatMap((part) => {
    const [before, after] = [source.parts[part], here.parts[part] ?? 0];
    if (before === undefined || before === after || (!isWhole && after > before)) return [];
    return after === otherwise.parts[part] ? [] : [{ part, source: before, here: after }];
  });
  const isOrdered = !isWhole || missing || added || here.parts.notes;
  const moved =
    !isOrdered && otherwise.words !== here.words ? movedWords(source.words, here.words) : undefined;
  if (!missing && !added && !moved && counted.length === 0) return undefined;
  return {
    ...(missing ? { missing } : {}),
    ...(added ? { added } : {}),
    ...(moved ? { moved } : {}),
    parts: counted,
  };
}

/** Words of `text` that occur more often than in `other`. */
function wordsWithout(text: string, other: string): WordDifference | undefined {
  if (text === other) return undefined;
  const left = new Map<string, number>();
  for (const word of wordsOf(other)) left.set(word, (left.get(word) ?? 0) + 1);
  const examples: string[] = [];
  let words = 0;
  let isOpen = false;
  for (const word of wordsOf(text)) {
    const count = left.get(word) ?? 0;
    if (count > 0) {
      left.set(word, count - 1);
      isOpen = false;
      continue;
    }
    words++;
    const last = examples.at(-1);
    if (isOpen && last !== undefined && last.length + word.length < exampleLength)
      examples[examples.length - 1] = `${last} ${word}`;
    else {
      isOpen = examples.length < mostExamples;
      if (isOpen) examples.push(word.slice(0, exampleLength));
    }
  }
  return words === 0 ? undefined : { words, examples };
}

/** Words between the beginning and the end that are alike in both texts, which have the same words. */
function movedWords(text: string, other: string): WordDifference | undefined {
  if (text === other) return undefined;
  const [before, after] = [wordsOf(text), wordsOf(other)];
  const start = before.findIndex((word, at) => word !== after[at]);
  const end = before.findLastIndex((word, at) => word !== after[at]) + 1;
  return { words: end - start, examples: [before.slice(start, end).join(' ').slice(0, exampleLength)] };
}

function wordsOf(text: string): string[] {
  return text === '' ? [] : text.split(' ');
}
