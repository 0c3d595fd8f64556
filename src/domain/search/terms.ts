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

/** Every phrase must occur; a phrase is adjacent terms, the last of which may be a prefix. */
export type TextQuery = { terms: string[]; prefix: boolean }[];

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
 * words, so `fores` finds "forests". Returns undefined if it contains nothing searchable.
 */
export function readTextQuery(query: string): TextQuery | undefined {
  const phrases: TextQuery = [];
  for (const [part, quoted] of partsOf(query)) {
    const runs = runsOf(fold(part));
    if (quoted) {
      const terms: string[] = [];
      for (const run of runs) terms.push(...queryTerms(run).terms);
      if (terms.length > 0) phrases.push({ terms, prefix: false });
      continue;
    }
    for (const run of runs) phrases.push(queryTerms(run));
  }
  let left = maxQueryTerms;
  const bounded = phrases.filter((phrase) => {
    left -= phrase.terms.length;
    return left >= 0;
  });
  return bounded.length > 0 ? bounded : undefined;
}

function queryTerms(run: string): { terms: string[]; prefix: boolean } {
  if (!unspaced.test(run)) return { terms: [run], prefix: run.length >= 3 };
  const characters = [...run];
  if (characters.length === 1) return { terms: [run], prefix: true };
  // Drops the term for the run's last character, because in the text more characters may follow.
  return {
    terms: characters.slice(0, -1).map((character, i) => character + characters[i + 1]),
    prefix: false,
  };
}

function partsOf(query: string): [text: string, quoted: boolean][] {
  return query.split('"').map((text, i) => [text, i % 2 === 1]);
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
