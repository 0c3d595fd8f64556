/**
 * Splits text into search terms and queries into phrases, in JavaScript, so that both engines index and find the same.
 *
 * Scripts with spaces yield folded words. Runs of scripts without spaces (Han, kana, Thai, Lao, Khmer, Myanmar) yield
 * overlapping pairs of characters plus the run's last character, so that any part of a run, down to a single character, is
 * found as adjacent pairs or as the prefix of a pair.
 */

import { fold, isAscii } from './fold.ts';

/** Maximum number of indexed terms of one page; text beyond about 300 kB of prose is not found by its words. */
export const maxIndexedTerms = 50_000;
export const maxQueryTerms = 32;
const maxTermLength = 64;

/** Scripts written without spaces that are split into pairs of characters. */
export const unspaced =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]/u;

/** Adjacent terms, the last of which may be a prefix. */
export interface Phrase {
  terms: string[];
  prefix: boolean;
}

/** Every phrase must occur, at least one, and no excluded phrase may. */
export interface TextQuery {
  phrases: Phrase[];
  excluded: Phrase[];
}

/** Terms of a text in order, at most `maxIndexedTerms`. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  const folded = fold(text);
  const isSpaced = isAscii(folded) || !unspaced.test(folded);
  for (const run of runsOf(folded)) {
    if (terms.length >= maxIndexedTerms) break;
    if (isSpaced || !unspaced.test(run)) {
      terms.push(run);
      continue;
    }
    const characters = [...run];
    for (let i = 0; i < characters.length && terms.length < maxIndexedTerms; i++) {
      terms.push(characters.slice(i, i + 2).join(''));
    }
  }
  return terms;
}

/** The terms of a text, separated by spaces. */
export function joinedTermsOf(text: string): string {
  const folded = fold(text);
  if (!isAscii(folded) || folded.length > maxIndexedTerms) return termsOf(text).join(' ');
  // Single spaces, the most common case, are left as they are.
  const joined = folded.replace(/[^a-z0-9 ][^a-z0-9]*| [^a-z0-9]+/g, ' ').trim();
  return hasOnlyShortTerms(joined) ? joined : termsOf(text).join(' ');
}

function hasOnlyShortTerms(joined: string): boolean {
  for (let from = 0; joined.length - from > maxTermLength; ) {
    // If two spaces are no further apart than the maximum length of a term, there is no longer term between them.
    const space = joined.lastIndexOf(' ', from + maxTermLength);
    if (space < from) return false;
    from = space + 1;
  }
  return true;
}

/**
 * Parses a query: words, and phrases in double quotes. Outside quotes, each word of at least three letters also matches longer
 * words, so `fores` finds "forests". A word or phrase directly after a single minus is excluded; `well-known` and `--force`
 * contain no such minus. Returns undefined if no phrase is left that must occur.
 */
export function readTextQuery(query: string): TextQuery | undefined {
  const phrases: Phrase[] = [];
  const excluded: Phrase[] = [];
  let left = maxQueryTerms;
  const add = (phrase: Phrase, to: Phrase[]) => {
    left -= phrase.terms.length;
    if (left >= 0 && phrase.terms.length > 0) to.push(phrase);
  };
  for (const { text, isQuoted, isExcluded } of partsOf(query)) {
    const words = runsOf(fold(text)).map(queryTerms);
    if (isQuoted) add({ ...adjacent(words), prefix: false }, isExcluded ? excluded : phrases);
    // A hyphenated word is excluded whole: `-e-mail` does not exclude every page with an "e".
    else if (isExcluded) add(adjacent(words), excluded);
    else for (const word of words) add(word, phrases);
  }
  return phrases.length > 0 ? { phrases, excluded } : undefined;
}

function adjacent(words: Phrase[]): Phrase {
  return { terms: words.flatMap(({ terms }) => terms), prefix: words.at(-1)?.prefix ?? false };
}

function queryTerms(run: string): Phrase {
  if (!unspaced.test(run)) return { terms: [run], prefix: run.length >= 3 };
  const characters = [...run];
  if (characters.length === 1) return { terms: [run], prefix: true };
  // Drops the term for the run's last character, because in the text more characters may follow.
  return {
    terms: characters.slice(0, -1).map((character, i) => character + characters[i + 1]),
    prefix: false,
  };
}

interface QueryPart {
  text: string;
  isQuoted: boolean;
  isExcluded: boolean;
}

function partsOf(query: string): QueryPart[] {
  const parts: QueryPart[] = [];
  let isExcluded = false;
  for (const [i, text] of query.split('"').entries()) {
    if (i % 2 === 1) {
      parts.push({ text, isQuoted: true, isExcluded });
      continue;
    }
    const words = text.split(/\s+/u);
    parts.push(
      ...words.map((word) => ({ text: word, isQuoted: false, isExcluded: /^-[\p{L}\p{N}]/u.test(word) })),
    );
    // The quote that follows belongs to a minus before it.
    isExcluded = words.at(-1) === '-';
  }
  return parts;
}

/** Words of folded text, and runs of unspaced scripts, in order. */
function runsOf(folded: string): string[] {
  if (isAscii(folded)) return (folded.match(/[a-z0-9]+/g) ?? []).map((run) => run.slice(0, maxTermLength));
  const words = folded.match(/[\p{L}\p{N}\p{M}ー]+/gu) ?? [];
  const runs = unspaced.test(folded) ? words.flatMap(splitByScript) : words;
  return runs.map((run) =>
    run.length > maxTermLength && !unspaced.test(run) ? run.slice(0, maxTermLength) : run,
  );
}

function splitByScript(word: string): string[] {
  if (!unspaced.test(word)) return [word];
  const runs: string[] = [];
  let current = '';
  let currentUnspaced: boolean | undefined;
  for (const character of word) {
    // A combining mark belongs to the character before it (Thai vowels, voiced kana).
    const isUnspaced = /\p{M}/u.test(character) ? (currentUnspaced ?? false) : unspaced.test(character);
    if (currentUnspaced !== undefined && isUnspaced !== currentUnspaced) {
      runs.push(current);
      current = '';
    }
    current += character;
    currentUnspaced = isUnspaced;
  }
  runs.push(current);
  return runs;
}
