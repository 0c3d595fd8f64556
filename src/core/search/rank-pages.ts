/**
 * Ranks pages for a question in words, of which few pages have every one: by BM25 over title and text, with a share for pairs of
 * words that stand near each other and for words that stand as they were typed. Both engines answer alike, because this is computed here.
 */
import { isMarked, isUsualWord, stemOf } from '../model/stems.ts';
import type { Phrase } from '../model/terms.ts';
import type { LikelyPage } from '../ports/list-reads.ts';
import { NumberedTerms } from './numbered-terms.ts';

/** Saturation of repeated words, and how much longer texts count less: the usual values lie at 1.2 to 2 and 0.75 to 1. */
const saturation = 2;
const byLength = 0.9;
/** A word in the title counts as so many in the text. */
const inTitle = 2;
/** Share of a word that only begins like the one asked for. */
const asPrefix = 0.3;
const exactShare = 0.3;
const pairShare = 2;
/** Greatest distance of the words of a pair in the text. */
const nearby = 5;

/** A question of so many words is understood by the best pages: words that they share count for the pages after the first ones. */
const longQuestion = 4;
const bestPages = 10;
const keptPages = 5;
const wordsOfBest = 30;
const shareOfBest = 0.2;
const shortestWord = 3;
/** Pages read before other requests have a turn. */
const atATime = 20;

interface Read {
  page: LikelyPage;
  /** Numbers of the terms of the title, as often as they count, and of the text. */
  terms: number[];
  length: number;
  /** Occurrences of each phrase, those in the title multiplied. */
  counts: number[];
  exact: Set<number>;
  /** Nearness of two phrases in the text, by the number of their pair. */
  pairs: Map<number, number>;
}

/** The phrase that a word of the text matches. */
interface Match {
  phrase: number;
  share: number;
  isExact: boolean;
}

/** `weights`: how much each phrase says about a page that has it. Pages that have all of them come first. Equal pages stay in order. */
export async function rankPages(
  pages: readonly LikelyPage[],
  phrases: readonly Phrase[],
  weights: readonly number[],
  wikiLanguage: string,
): Promise<number[]> {
  const numbered = new NumberedTerms();
  const matchers = new Map<string, Matcher>();
  const texts = await inTurns(pages, (page) => {
    const language = page.language ?? wikiLanguage;
    const matches = matchers.get(language) ?? matcherOf(phrases, language, numbered.terms);
    matchers.set(language, matches);
    return readText(page, phrases.length, numbered, matches);
  });
  const average = texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
  const scored = texts.map((text) => ({ text, score: scoreOf(text, weights, average) })).sort(byScore);
  if (phrases.length >= longQuestion)
    await rankByBest(scored, average, { terms: numbered.terms, matchers, wikiLanguage });
  return scored.map(({ text }) => text.page.id);
}

/** Like `map`, and lets other requests go on after every few pages: reading hundreds of texts takes tens of milliseconds. */
async function inTurns<T, R>(all: readonly T[], work: (one: T) => R): Promise<R[]> {
  const done: R[] = [];
  for (const one of all) {
    done.push(work(one));
    if (done.length % atATime === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return done;
}

interface Vocabulary {
  /** Terms by their numbers. */
  terms: readonly string[];
  /** By language. */
  matchers: ReadonlyMap<string, Matcher>;
  wikiLanguage: string;
}

interface Scored {
  text: Read;
  score: number;
}

function byScore(a: Scored, b: Scored): number {
  return Number(b.text.page.hasAll) - Number(a.text.page.hasAll) || b.score - a.score;
}

/** Ranks the pages after the first ones anew, by words of the best pages besides those of the question (Rocchio 1971). */
async function rankByBest(
  scored: Scored[],
  average: number,
  { terms, matchers, wikiLanguage }: Vocabulary,
): Promise<void> {
  const stems = new Map<string, (number: number) => string>();
  const counts = await inTurns(scored, ({ text: { page, terms: numbers } }) => {
    const language = page.language ?? wikiLanguage;
    const stem = stems.get(language) ?? tellingStems(terms, language, matchers.get(language));
    stems.set(language, stem);
    return countStems(numbers, stem);
  });
  const pagesWith = new Map<string, number>();
  for (const some of counts)
    for (const stem of some.keys()) pagesWith.set(stem, (pagesWith.get(stem) ?? 0) + 1);
  const weightIn = (i: number, stem: string): number => {
    const times = counts[i]?.get(stem) ?? 0;
    if (times === 0) return 0;
    const pages = pagesWith.get(stem) ?? 0;
    const weight = Math.log(1 + (scored.length - pages + 0.5) / (pages + 0.5));
    return (weight * times * (saturation + 1)) / (times + damping(scored[i]?.text.length ?? 0, average));
  };
  const best = scored.slice(0, bestPages);
  const all = best.reduce((sum, { score }) => sum + score, 0) || 1;
  const shared = new Map<string, number>();
  for (const [i, { score }] of best.entries())
    for (const stem of counts[i]?.keys() ?? [])
      shared.set(stem, (shared.get(stem) ?? 0) + (score / all) * weightIn(i, stem));
  const chosen = [...shared].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, wordsOfBest);
  const most = chosen[0]?.[1] || 1;
  const rest = scored.map(({ text, score }, i) => {
    const added = chosen.reduce((sum, [stem, weight]) => sum + (weight / most) * weightIn(i, stem), 0);
    return { text, score: score + shareOfBest * added };
  });
  scored.splice(keptPages, scored.length, ...rest.slice(keptPages).sort(byScore));
}

function countStems(numbers: readonly number[], stemOf: (number: number) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const number of numbers) {
    const stem = stemOf(number);
    if (stem !== '') counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return counts;
}

/** Stems of telling words that the question does not have, empty for other words. */
function tellingStems(
  terms: readonly string[],
  language: string,
  matches: Matcher | undefined,
): (number: number) => string {
  return byNumber((number) => {
    const term = terms[number] ?? '';
    const isTelling = term.length >= shortestWord && !matches?.(number) && !isUsualWord(term, [language]);
    return isTelling ? (stemOf(term, language) ?? term) : '';
  });
}

/** Computes each value once. */
function byNumber<V extends object | string | null>(find: (number: number) => V): (number: number) => V {
  const known: (V | undefined)[] = [];
  return (number) => {
    const before = known[number];
    if (before !== undefined) return before;
    // Gaps are filled: an array with large ones is a hash table.
    while (known.length < number) known.push(undefined);
    const found = find(number);
    known[number] = found;
    return found;
  };
}

/** How much the length of a text damps its words. */
function damping(length: number, average: number): number {
  return saturation * (1 - byLength + (byLength * length) / Math.max(1, average));
}

/** Takes the number of a term. */
type Matcher = (number: number) => Match | null;

function matcherOf(phrases: readonly Phrase[], language: string, numbered: readonly string[]): Matcher {
  const exact = new Map<string, number>();
  const stems = new Map<string, number>();
  for (const [i, phrase] of phrases.entries())
    for (const { terms, stems: some = [], isSynonym } of [phrase, ...(phrase.or ?? [])]) {
      const known = isSynonym ? stems : exact;
      for (const term of terms) if (!known.has(term)) known.set(term, i);
      for (const stem of some) if (!isMarked(stem) && !stems.has(stem)) stems.set(stem, i);
    }
  const prefixes = phrases.flatMap(({ terms, prefix }, phrase) =>
    prefix ? [{ beginning: terms.at(-1) ?? '', phrase }] : [],
  );
  return byNumber((number): Match | null => {
    const term = numbered[number] ?? '';
    const typed = exact.get(term);
    if (typed !== undefined) return { phrase: typed, share: 1, isExact: true };
    const stem = stemOf(term, language) ?? term;
    const same = stems.get(stem) ?? stems.get(term) ?? exact.get(stem);
    if (same !== undefined) return { phrase: same, share: 1, isExact: false };
    const begun = prefixes.find(({ beginning }) => term.startsWith(beginning));
    return begun ? { phrase: begun.phrase, share: asPrefix, isExact: false } : null;
  });
}

function readText(page: LikelyPage, count: number, numbered: NumberedTerms, matches: Matcher): Read {
  const counts = new Array<number>(count).fill(0);
  const exact = new Set<number>();
  const pairs = new Map<number, number>();
  const add = ({ phrase, share, isExact }: Match, times: number) => {
    counts[phrase] = (counts[phrase] ?? 0) + share * times;
    if (isExact) exact.add(phrase);
  };
  const title = numbered.read(page.title);
  for (const term of title) {
    const match = matches(term);
    if (match) add(match, inTitle);
  }
  const body = numbered.read(page.body);
  const last = new Map<number, number>();
  for (const [at, term] of body.entries()) {
    const match = matches(term);
    if (!match) continue;
    add(match, 1);
    for (const [other, before] of last) {
      if (other === match.phrase || at - before > nearby) continue;
      const pair = Math.min(other, match.phrase) * count + Math.max(other, match.phrase);
      pairs.set(pair, (pairs.get(pair) ?? 0) + 1 / (at - before));
    }
    last.set(match.phrase, at);
  }
  const terms = [...Array.from({ length: inTitle }, () => title).flat(), ...body];
  return { page, terms, length: title.length + body.length, counts, exact, pairs };
}

function scoreOf(
  { length, counts, exact, pairs }: Read,
  weights: readonly number[],
  average: number,
): number {
  let score = 0;
  for (const [i, weight] of weights.entries()) {
    const times = counts[i] ?? 0;
    score += (weight * times * (saturation + 1)) / (times + damping(length, average));
    if (exact.has(i)) score += exactShare * weight;
  }
  for (const [pair, nearness] of pairs) {
    const [first, second] = [Math.floor(pair / weights.length), pair % weights.length];
    const weight = Math.min(weights[first] ?? 0, weights[second] ?? 0);
    // Words that stand apart in the question seldom belong together.
    score += (pairShare * weight * nearness) / (nearness + 1) / (second - first);
  }
  return score;
}
