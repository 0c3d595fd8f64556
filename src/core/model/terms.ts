/**
 * Splits text into search terms and queries into phrases, in JavaScript, so that both engines index and find the same.
 *
 * Most scripts yield folded words. Runs of scripts without spaces (Han, kana, Thai, Lao, Khmer, Myanmar) and of Hangul, whose
 * words are as short and take endings, yield overlapping pairs of characters plus the run's last character, so that any part of
 * a run, down to a single character, is found as adjacent pairs or as the prefix of a pair.
 */

import { fold, foldRules, isAscii } from './fold.ts';
import { tokensOfStem } from './stems.ts';

/** Maximum number of indexed terms of one page; text beyond about 300 kB of prose is not found by its words. */
export const maxIndexedTerms = 50_000;
export const maxQueryTerms = 32;
export const maxTermLength = 64;

/** Scripts that are split into pairs of characters. */
const unspaced =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]/u;

const onlyUnspaced = new RegExp(`^(?:${unspaced.source})+$`, 'u');
/** Runs that may be several words. What is left out, or only in titles, stays whole. */
const runOfPairs = new RegExp(`(?<!(?:^|\\s)(?:-|-?title:)\\S{0,100})(?:${unspaced.source}){3,}`, 'giu');
/** Words, and each emoji by itself: a flag is two letters, and skin tones and joiners make no other emoji. */
const word = /[\p{L}\p{N}\p{M}ー]+|\p{RI}{2}|(?![©®])\p{ExtPict}/gu;

/** Adjacent terms, the last of which may be a prefix. */
export interface Phrase {
  terms: string[];
  prefix: boolean;
  /** For a single word, tokens of the indexes for words with the same stem, any of which may occur instead. */
  stems?: string[];
  /** Others, one of which may occur instead. */
  or?: Phrase[];
  /** Only in the title. */
  inTitle?: true;
  /** In double quotes: never left out of the search. */
  isQuoted?: true;
  /** Nobody typed it: it means the same as what was typed. */
  isSynonym?: true;
}

/** Adds to each phrase of a query what means the same. */
interface Synonyms {
  addTo(phrases: readonly Phrase[], languages: readonly string[]): Phrase[];
}

/** Every phrase must occur, at least one, and no excluded phrase may. */
export interface TextQuery {
  phrases: Phrase[];
  excluded: Phrase[];
}

/** Terms of a text in order, at most `maxIndexedTerms`. */
export function termsOf(text: string): string[] {
  return termsOfFolded(fold(text));
}

/** The terms of a text that is folded already, at most `maxIndexedTerms`. Unspaced scripts give pairs of characters. */
export function termsOfFolded(folded: string): string[] {
  const terms: string[] = [];
  const isSpaced = isAscii(folded) || !isUnspaced(folded);
  for (const run of runsOf(folded)) {
    if (terms.length >= maxIndexedTerms) break;
    if (isSpaced || !isUnspaced(run)) terms.push(run);
    else terms.push(...pairsOf(run).slice(0, maxIndexedTerms - terms.length));
  }
  return terms;
}

/** The terms of a text, separated by spaces. */
export function joinedTermsOf(text: string): string {
  const folded = fold(text);
  if (!isAscii(folded) || folded.length > maxIndexedTerms) return termsOfFolded(folded).join(' ');
  // Single spaces, the most common case, are left as they are.
  const joined = folded.replace(/[^a-z0-9 ][^a-z0-9]*| [^a-z0-9]+/g, ' ').trim();
  return hasOnlyShortTerms(joined) ? joined : termsOfFolded(folded).join(' ');
}

/** Whether a text has characters of scripts that are split into pairs; a run has either only such characters or none. */
export function isUnspaced(text: string): boolean {
  return unspaced.test(text);
}

/** Whether a text consists of such characters. Any part of it is a phrase of pairs. */
export function isUnspacedText(text: string): boolean {
  return onlyUnspaced.test(text);
}

/** Pairs of characters, and the last character. Long runs are cut before, because their pairs are many. */
function pairsOf(run: string): string[] {
  const characters = [...run.slice(0, 2 * maxIndexedTerms + 2)];
  return characters.map((character, i) => character + (characters[i + 1] ?? ''));
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

/** Double quotes of all languages, which phones and word processors write. */
const quotes = /[“”„‟«»「」『』〝〞〟＂]/g;
/** Signs and letters of ASCII as keyboards of East Asia write them. */
const fullWidth = /[\uff01-\uff5e]/g;
/** In abbreviations such as `צה"ל`. */
const quoteWithinHebrew = /(?<=[א-ת])["”״](?=[א-ת])/g;

/**
 * Parses a query: words, and phrases in double quotes. Outside quotes, each word of at least three letters also matches longer
 * words, so `fores` finds "forests", and each word also matches words of the same stem in these languages, and its synonyms. A
 * word or phrase directly after a single minus is excluded; `well-known` and `--force` contain no such minus. `OR` between two
 * words or phrases finds either; `title:` before one finds it only in titles. Numbers such as `1.2.3`, and addresses, are phrases;
 * `5kg` and `5 kg` find each other.
 * Whatever else is written is words. Returns undefined if no phrase is left that must occur.
 */
export function readTextQuery(
  query: string,
  languages: readonly string[] = [],
  synonyms?: Synonyms,
): TextQuery | undefined {
  const phrases: Phrase[] = [];
  const excluded: Phrase[] = [];
  let left = maxQueryTerms;
  const add = (phrase: Phrase, to: Phrase[]) => {
    left -= phrase.terms.length;
    if (left >= 0 && phrase.terms.length > 0) to.push(phrase);
  };
  // Characters that show nothing, such as marks of direction, would hide a minus.
  const plain = withPlainSigns(query.replace(foldRules.ignored, '').replace(quoteWithinHebrew, '·'));
  let isAlternative = false;
  for (const { text, isQuoted, isExcluded, inTitle } of partsOf(plain)) {
    if (text === 'OR' && !isQuoted && phrases.length > 0) {
      isAlternative = true;
      continue;
    }
    const runs = runsOf(fold(text));
    if (runs.length === 0) continue;
    const before = isAlternative && !isExcluded ? phrases.pop() : undefined;
    isAlternative = false;
    const from = phrases.length;
    if (isQuoted)
      add({ ...adjacent(runs, true), ...(isExcluded ? {} : { isQuoted }) }, isExcluded ? excluded : phrases);
    // A hyphenated word is excluded whole: `-e-mail` does not exclude every page with an "e".
    else if (isExcluded) add(adjacent(runs, false), excluded);
    else if (isWhole(text)) add(wholeOf(runs), phrases);
    else if (before && runs.length > 1) add(adjacent(runs, false), phrases);
    else for (const phrase of phrasesOf(text, runs, languages)) add(phrase, phrases);
    if (inTitle)
      for (const phrase of isExcluded ? excluded.slice(-1) : phrases.slice(from))
        for (const one of [phrase, ...(phrase.or ?? [])]) one.inTitle = true;
    if (before) {
      const others = phrases.splice(from).flatMap(({ or = [], ...one }) => [one, ...or]);
      phrases.push({ ...before, or: [...(before.or ?? []), ...others] });
    }
  }
  if (phrases.length === 0) return undefined;
  joinMeasures(phrases);
  return { phrases: synonyms?.addTo(phrases, languages) ?? phrases, excluded };
}

/** The words of a text, each found as in a query. */
export function wordsIn(text: string, languages: readonly string[]): Phrase[] {
  return text.split(/\s+/u).flatMap((part) => phrasesOf(part, runsOf(fold(part)), languages));
}

/** A text as one phrase, found exactly. */
export function phraseIn(text: string): Phrase {
  return adjacent(runsOf(fold(text)), true);
}

/** Each run of characters between two spaces is a word of its own. */
function phrasesOf(text: string, runs: readonly string[], languages: readonly string[]): Phrase[] {
  // A long vowel at the end of a word in katakana is often left out.
  return runs.map((run) => {
    const terms = queryTerms(run.replace(/(?<=\p{sc=Katakana}{2}|ー\p{sc=Katakana})ー$/u, ''));
    const phrase = withStems(terms, text, runs.length, languages);
    const [, number, unit] = measure.exec(run) ?? [];
    return number && unit ? { ...phrase, or: [adjacent([number, unit], false)] } : phrase;
  });
}

/** A number and the unit after it may be one word in the text. */
function joinMeasures(phrases: Phrase[]): void {
  for (const [i, unit] of phrases.entries()) {
    const number = phrases[i - 1];
    const together = `${number?.terms[0] ?? ''}${unit.terms[0] ?? ''}`;
    if (!number || !measure.test(together) || !/^\p{N}+$/u.test(number.terms[0] ?? '')) continue;
    for (const one of [number, unit])
      if (one.terms.length === 1 && !one.isQuoted && !one.inTitle && !one.or)
        one.or = [{ terms: [together], prefix: false }];
  }
}

/** A number with its unit. */
const measure = /^(\p{N}+)([\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]{1,4})$/u;

/** A query in which the words of scripts without spaces are words of their own, except in double quotes. */
export function withSpaces(query: string): string {
  const parts = withPlainSigns(query).split('"');
  const spaced = (part: string) =>
    part.replace(runOfPairs, (run) =>
      Array.from(words.segment(run), ({ segment }) => segment)
        .slice(0, maxQueryTerms)
        .join(' '),
    );
  return parts.map((part, i) => (i % 2 === 1 ? part : spaced(part))).join('"');
}

const words = new Intl.Segmenter('zh', { granularity: 'word' });

/** Quotes, and the signs of `－`, `ｔｉｔｌｅ：` and `ＯＲ`. */
function withPlainSigns(query: string): string {
  return query
    .replace(fullWidth, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(quotes, '"');
}

/** Numbers, dates and versions, whose parts say nothing apart from each other, and e-mail addresses. */
const whole = /^[^\p{L}\p{N}]*(?:v?\p{N}+(?:[.,:/-]\p{N}+)+|[^@]+@[^@]+\.[^@]+)[^\p{L}\p{N}]*$/iu;
const longestWhole = 100;

function isWhole(text: string): boolean {
  return text.length <= longestWhole && whole.test(text);
}

/** `1.2.3` and `v1.2.3` find each other. */
function wholeOf(runs: string[]): Phrase {
  const [first = '', ...rest] = runs;
  const phrase = adjacent(runs, false);
  if (!/^v?\p{N}+$/u.test(first)) return phrase;
  const other = first.startsWith('v') ? first.slice(1) : `v${first}`;
  return { ...phrase, or: [{ ...phrase, terms: [other, ...rest] }] };
}

/** Only the last run may go on in the text. `isExact`: and only one of a script that is split. */
function adjacent(runs: string[], isExact: boolean): Phrase {
  const last = runs.at(-1);
  if (last === undefined) return { terms: [], prefix: false };
  const before = runs.slice(0, -1).flatMap((run) => (isUnspaced(run) ? pairsOf(run) : [run]));
  const { terms, prefix } = queryTerms(last);
  return { terms: [...before, ...terms], prefix: prefix && (!isExact || isUnspaced(last)) };
}

function queryTerms(run: string): Phrase {
  if (!isUnspaced(run)) return { terms: [run], prefix: run.length >= 3 };
  const pairs = pairsOf(run);
  // Drops the term for the run's last character, because in the text more characters may follow.
  return pairs.length === 1 ? { terms: pairs, prefix: true } : { terms: pairs.slice(0, -1), prefix: false };
}

/** Words with accents are stemmed as they were typed; of several words between two spaces, such as `well-known`, each is folded. */
function withStems(phrase: Phrase, typed: string, runs: number, languages: readonly string[]): Phrase {
  const [term = '', another] = phrase.terms;
  if (languages.length === 0 || another !== undefined || isUnspaced(term)) return phrase;
  const asTyped = runs === 1 ? (typed.match(word)?.[0] ?? term) : term;
  const stems = tokensOfStem(asTyped, languages).filter((token) => token !== term);
  return stems.length === 0 ? phrase : { ...phrase, stems };
}

interface QueryPart {
  text: string;
  isQuoted: boolean;
  isExcluded: boolean;
  inTitle: boolean;
}

function partsOf(query: string): QueryPart[] {
  const parts: QueryPart[] = [];
  let before = '';
  for (const [i, text] of query.split('"').entries()) {
    if (i % 2 === 1) {
      parts.push({ text, isQuoted: true, isExcluded: before.startsWith('-'), inTitle: before.endsWith(':') });
      continue;
    }
    const words = text.split(/\s+/u);
    // The quote that follows belongs to a minus or `title:` before it.
    before = /^-?(?:title:)?$/i.test(words.at(-1) ?? '') ? (words.pop() ?? '') : '';
    for (const word of words) {
      const [, named] = /^-?title:(?=.*[\p{L}\p{N}\p{RI}\p{ExtPict}])(.*)$/isu.exec(word) ?? [];
      const isExcluded = /^-[\p{L}\p{N}\p{RI}\p{ExtPict}]/u.test(word);
      parts.push({ text: named ?? word, isQuoted: false, isExcluded, inTitle: named !== undefined });
    }
  }
  return parts;
}

/** Words of folded text, and runs of unspaced scripts, in order. */
function runsOf(folded: string): string[] {
  if (isAscii(folded)) return (folded.match(/[a-z0-9]+/g) ?? []).map((run) => run.slice(0, maxTermLength));
  const words = folded.match(word) ?? [];
  const runs = isUnspaced(folded) ? words.flatMap(splitByScript) : words;
  return runs.map((run) =>
    run.length > maxTermLength && !isUnspaced(run) ? run.slice(0, maxTermLength) : run,
  );
}

/** Words of a folded text with their offsets, split where the script changes. Long ones are not cut. */
export function* runsWithOffsets(folded: string): Generator<{ run: string; at: number }> {
  for (const found of folded.matchAll(word)) {
    let at = found.index;
    for (const run of splitByScript(found[0])) {
      yield { run, at };
      at += run.length;
    }
  }
}

function splitByScript(word: string): string[] {
  if (!isUnspaced(word)) return [word];
  const runs: string[] = [];
  let current = '';
  let currentUnspaced: boolean | undefined;
  for (const character of word) {
    // A combining mark belongs to the character before it (Thai vowels, voiced kana).
    const isUnspacedText = /\p{M}/u.test(character) ? (currentUnspaced ?? false) : isUnspaced(character);
    if (currentUnspaced !== undefined && isUnspacedText !== currentUnspaced) {
      runs.push(current);
      current = '';
    }
    current += character;
    currentUnspaced = isUnspacedText;
  }
  runs.push(current);
  return runs;
}
