/**
 * Ranks pages for a question in words, of which few pages have every one: by BM25 over title and text, with a share for pairs of
 * words that stand near each other and for words that stand as they were typed. Both engines answer alike, because this is computed here.
 */
import type { NumberedTerms } from '../model/numbered-terms.ts';
import { isMarked, isUsualWord } from '../model/stems.ts';
import type { Phrase } from '../model/terms.ts';
import type { LikelyPage, LikelyPages } from '../ports/list-reads.ts';

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
/** Pages ranked before other requests have a turn. */
const atATime = 100;

interface Read {
  page: LikelyPage;
  length: number;
  /** Occurrences of each phrase, those in the title multiplied. */
  counts: Float64Array;
  exact: Set<number>;
  /** Nearness of two phrases in the text, by the number of their pair. */
  pairs: Map<number, number>;
}

/** How a word of the text matches a phrase: as it was typed, by its stem, or by its beginning. How much each counts. */
const [asTyped, byStem, byBeginning] = [0, 1, 2];
const shares = [1, 1, asPrefix];

/** Takes the number of a term. The result is the number of the phrase times those of `shares`, plus how it matches, or −1. */
type Matcher = (number: number) => number;

/** Pages that have all phrases come first. Equal pages stay in order. */
export async function rankPages(
  { pages, weights, numbered }: LikelyPages,
  phrases: readonly Phrase[],
  wikiLanguage: string,
): Promise<number[]> {
  const languageOf = (page: LikelyPage) => page.language ?? wikiLanguage;
  const matcherIn = byLanguage((language) => matcherOf(phrases, language, numbered));
  const texts = await inTurns(pages, (page) => readText(page, phrases.length, matcherIn(languageOf(page))));
  const average = texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
  const scored = texts.map((text) => ({ text, score: scoreOf(text, weights, average) })).sort(byScore);
  if (phrases.length >= longQuestion) await rankByBest(scored, average, { numbered, matcherIn, languageOf });
  return scored.map(({ text }) => text.page.id);
}

/** Like `map`, and lets other requests go on now and then. */
async function inTurns<T, R>(all: readonly T[], work: (one: T, i: number) => R): Promise<R[]> {
  const done: R[] = [];
  for (const [i, one] of all.entries()) {
    done.push(work(one, i));
    if (done.length % atATime === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return done;
}

function byLanguage<V>(make: (language: string) => V): (language: string) => V {
  const known = new Map<string, V>();
  return (language) => {
    const made = known.get(language) ?? make(language);
    known.set(language, made);
    return made;
  };
}

interface Vocabulary {
  numbered: NumberedTerms;
  matcherIn(language: string): Matcher;
  languageOf(page: LikelyPage): string;
}

interface Scored {
  text: Read;
  score: number;
}

function byScore(a: Scored, b: Scored): number {
  return Number(b.text.page.hasAll) - Number(a.text.page.hasAll) || b.score - a.score;
}

/** Ranks the pages after the first ones anew, by words of the best pages besides those of the question (Rocchio 1971). */
async function rankByBest(scored: Scored[], average: number, vocabulary: Vocabulary): Promise<void> {
  const { numbered, languageOf } = vocabulary;
  const best = scored.slice(0, bestPages);
  const slots = new Map<number, number>();
  const stemIn = byLanguage((language) => tellingStems(language, vocabulary));
  for (const { text } of best) {
    const stem = stemIn(languageOf(text.page));
    for (const terms of [text.page.title, text.page.body])
      for (let i = 0; i < terms.length; i++) {
        const found = stem(terms[i] as number);
        if (found >= 0 && !slots.has(found)) slots.set(found, slots.size);
      }
  }
  const slotIn = byLanguage((language) => {
    const stem = stemIn(language);
    return byNumber(numbered.terms.length, (number) => {
      // Most stems are not among those of the best pages, and need not be telling.
      const slot = slots.get(numbered.stemOf(number, language)) ?? -1;
      return slot >= 0 && stem(number) >= 0 ? slot : -1;
    });
  });
  const pagesWith = new Int32Array(slots.size);
  const lastPage = new Int32Array(slots.size).fill(-1);
  await inTurns(scored, ({ text: { page } }, i) => {
    const slotOf = slotIn(languageOf(page));
    for (const terms of [page.title, page.body])
      for (let at = 0; at < terms.length; at++) {
        const slot = slotOf(terms[at] as number);
        if (slot < 0 || lastPage[slot] === i) continue;
        lastPage[slot] = i;
        pagesWith[slot] = (pagesWith[slot] ?? 0) + 1;
      }
  });
  const weightIn = ({ length }: Read, slot: number, times: number): number => {
    const pages = pagesWith[slot] ?? 0;
    const weight = Math.log(1 + (scored.length - pages + 0.5) / (pages + 0.5));
    return (weight * times * (saturation + 1)) / (times + damping(length, average));
  };
  const all = best.reduce((sum, { score }) => sum + score, 0) || 1;
  const shared = new Map<number, number>();
  const times = new Int32Array(slots.size);
  for (const { text, score } of best) {
    times.fill(0);
    count(text.page, slotIn(languageOf(text.page)), times);
    for (const [slot, some] of times.entries())
      if (some > 0) shared.set(slot, (shared.get(slot) ?? 0) + (score / all) * weightIn(text, slot, some));
  }
  const stems = [...slots.keys()].map((number) => numbered.terms[number] ?? '');
  const chosen = [...shared]
    .sort(([a, x], [b, y]) => y - x || ((stems[a] ?? '') < (stems[b] ?? '') ? -1 : 1))
    .slice(0, wordsOfBest);
  const most = chosen[0]?.[1] || 1;
  const rest = await inTurns(scored, ({ text, score }) => {
    times.fill(0);
    count(text.page, slotIn(languageOf(text.page)), times);
    const added = chosen.reduce((sum, [slot, weight]) => {
      const some = times[slot] ?? 0;
      return some > 0 ? sum + (weight / most) * weightIn(text, slot, some) : sum;
    }, 0);
    return { text, score: score + shareOfBest * added };
  });
  scored.splice(keptPages, scored.length, ...rest.slice(keptPages).sort(byScore));
}

/** Adds the occurrences of each slot in a page, those in the title multiplied. */
function count({ title, body }: LikelyPage, slotOf: (number: number) => number, times: Int32Array): void {
  for (const [terms, each] of [[title, inTitle] as const, [body, 1] as const])
    for (let i = 0; i < terms.length; i++) {
      const slot = slotOf(terms[i] as number);
      if (slot >= 0) times[slot] = (times[slot] ?? 0) + each;
    }
}

/** Numbers of the stems of telling words that the question does not have, −1 for other words. */
function tellingStems(language: string, { numbered, matcherIn }: Vocabulary): (number: number) => number {
  const matches = matcherIn(language);
  return byNumber(numbered.terms.length, (number) => {
    const term = numbered.terms[number] ?? '';
    const isTelling = term.length >= shortestWord && matches(number) < 0 && !isUsualWord(term, [language]);
    return isTelling ? numbered.stemOf(number, language) : -1;
  });
}

/** Computes each value, a number from −1 on, once. */
function byNumber(numbers: number, find: (number: number) => number): (number: number) => number {
  const known = new Int32Array(numbers);
  return (number) => {
    const before = known[number] ?? 0;
    if (before > 0) return before - 2;
    const found = find(number);
    known[number] = found + 2;
    return found;
  };
}

/** How much the length of a text damps its words. */
function damping(length: number, average: number): number {
  return saturation * (1 - byLength + (byLength * length) / Math.max(1, average));
}

function matcherOf(phrases: readonly Phrase[], language: string, numbered: NumberedTerms): Matcher {
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
  const match = (phrase: number, how: number) => phrase * shares.length + how;
  return byNumber(numbered.terms.length, (number) => {
    const term = numbered.terms[number] ?? '';
    const same = exact.get(term);
    if (same !== undefined) return match(same, asTyped);
    const stem = numbered.terms[numbered.stemOf(number, language)] ?? term;
    const related = stems.get(stem) ?? stems.get(term) ?? exact.get(stem);
    if (related !== undefined) return match(related, byStem);
    const longer = prefixes.find(({ beginning }) => term.startsWith(beginning));
    return longer ? match(longer.phrase, byBeginning) : -1;
  });
}

function readText(page: LikelyPage, count: number, matches: Matcher): Read {
  const { title, body } = page;
  const counts = new Float64Array(count);
  const exact = new Set<number>();
  const pairs = new Map<number, number>();
  const add = (match: number, times: number): number => {
    const phrase = Math.floor(match / shares.length);
    const how = match % shares.length;
    counts[phrase] = (counts[phrase] ?? 0) + (shares[how] ?? 1) * times;
    if (how === asTyped) exact.add(phrase);
    return phrase;
  };
  for (let at = 0; at < title.length; at++) {
    const match = matches(title[at] as number);
    if (match >= 0) add(match, inTitle);
  }
  const last = new Map<number, number>();
  for (let at = 0; at < body.length; at++) {
    const match = matches(body[at] as number);
    if (match < 0) continue;
    const phrase = add(match, 1);
    for (const [other, before] of last) {
      if (other === phrase || at - before > nearby) continue;
      const pair = Math.min(other, phrase) * count + Math.max(other, phrase);
      pairs.set(pair, (pairs.get(pair) ?? 0) + 1 / (at - before));
    }
    last.set(phrase, at);
  }
  return { page, length: title.length + body.length, counts, exact, pairs };
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
