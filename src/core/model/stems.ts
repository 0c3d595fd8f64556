/**
 * Stems of words by language, so that a search for “prune” finds “pruning”. Both engines index them beside the words, as tokens
 * with a mark that no word has.
 */
import { stemmer as hyStem } from '@orama/stemmers/armenian';
import { stemmer as bgStem } from '@orama/stemmers/bulgarian';
import { stemmer as daStem } from '@orama/stemmers/danish';
import { stemmer as nlStem } from '@orama/stemmers/dutch';
import { stemmer as enStem } from '@orama/stemmers/english';
import { stemmer as fiStem } from '@orama/stemmers/finnish';
import { stemmer as frStem } from '@orama/stemmers/french';
import { stemmer as deStem } from '@orama/stemmers/german';
import { stemmer as elStem } from '@orama/stemmers/greek';
import { stemmer as huStem } from '@orama/stemmers/hungarian';
import { stemmer as hiStem } from '@orama/stemmers/indian';
import { stemmer as idStem } from '@orama/stemmers/indonesian';
import { stemmer as gaStem } from '@orama/stemmers/irish';
import { stemmer as itStem } from '@orama/stemmers/italian';
import { stemmer as ltStem } from '@orama/stemmers/lithuanian';
import { stemmer as neStem } from '@orama/stemmers/nepali';
import { stemmer as noStem } from '@orama/stemmers/norwegian';
import { stemmer as ptStem } from '@orama/stemmers/portuguese';
import { stemmer as roStem } from '@orama/stemmers/romanian';
import { stemmer as ruStem } from '@orama/stemmers/russian';
import { stemmer as srStem } from '@orama/stemmers/serbian';
import { stemmer as esStem } from '@orama/stemmers/spanish';
import { stemmer as svStem } from '@orama/stemmers/swedish';
import { stemmer as taStem } from '@orama/stemmers/tamil';
import { stemmer as trStem } from '@orama/stemmers/turkish';
import { stemmer as ukStem } from '@orama/stemmers/ukrainian';
import { stopwords as arUsual } from '@orama/stopwords/arabic';
import { stopwords as hyUsual } from '@orama/stopwords/armenian';
import { stopwords as bgUsual } from '@orama/stopwords/bulgarian';
import { stopwords as daUsual } from '@orama/stopwords/danish';
import { stopwords as nlUsual } from '@orama/stopwords/dutch';
import { stopwords as enUsual } from '@orama/stopwords/english';
import { stopwords as fiUsual } from '@orama/stopwords/finnish';
import { stopwords as frUsual } from '@orama/stopwords/french';
import { stopwords as deUsual } from '@orama/stopwords/german';
import { stopwords as elUsual } from '@orama/stopwords/greek';
import { stopwords as huUsual } from '@orama/stopwords/hungarian';
import { stopwords as hiUsual } from '@orama/stopwords/indian';
import { stopwords as idUsual } from '@orama/stopwords/indonesian';
import { stopwords as gaUsual } from '@orama/stopwords/irish';
import { stopwords as itUsual } from '@orama/stopwords/italian';
import { stopwords as ltUsual } from '@orama/stopwords/lithuanian';
import { stopwords as neUsual } from '@orama/stopwords/nepali';
import { stopwords as noUsual } from '@orama/stopwords/norwegian';
import { stopwords as ptUsual } from '@orama/stopwords/portuguese';
import { stopwords as roUsual } from '@orama/stopwords/romanian';
import { stopwords as ruUsual } from '@orama/stopwords/russian';
import { stopwords as srUsual } from '@orama/stopwords/serbian';
import { stopwords as esUsual } from '@orama/stopwords/spanish';
import { stopwords as svUsual } from '@orama/stopwords/swedish';
import { stopwords as taUsual } from '@orama/stopwords/tamil';
import { stopwords as trUsual } from '@orama/stopwords/turkish';
import { stopwords as ukUsual } from '@orama/stopwords/ukrainian';
import { fold, foldRules, isAscii } from './fold.ts';
import { normalizedStem, regular, spellingsOf, stemArabic, stemHebrew, stemPolish } from './own-stemmers.ts';

interface Language {
  stem(word: string): string;
  /** Words that say little about a text, such as “the” and “what”. */
  usual: string[];
}

const languages: Record<string, Language> = {
  ar: { stem: stemArabic, usual: arUsual },
  bg: { stem: bgStem, usual: bgUsual },
  da: { stem: daStem, usual: daUsual },
  de: { stem: deStem, usual: deUsual },
  el: { stem: elStem, usual: elUsual },
  en: { stem: enStem, usual: enUsual },
  es: { stem: esStem, usual: esUsual },
  fi: { stem: fiStem, usual: fiUsual },
  fr: { stem: frStem, usual: frUsual },
  ga: { stem: gaStem, usual: gaUsual },
  he: { stem: stemHebrew, usual: 'של את על עם זה זו היא הוא הם לא גם או כי אם יש אין כל'.split(' ') },
  hi: { stem: hiStem, usual: hiUsual },
  hu: { stem: huStem, usual: huUsual },
  hy: { stem: hyStem, usual: hyUsual },
  id: { stem: idStem, usual: idUsual },
  it: { stem: itStem, usual: itUsual },
  lt: { stem: ltStem, usual: ltUsual },
  ne: { stem: neStem, usual: neUsual },
  nl: { stem: nlStem, usual: nlUsual },
  no: { stem: noStem, usual: noUsual },
  pl: {
    stem: stemPolish,
    usual: 'i w we na z ze do nie to się że jest o jak po co od za a są dla przy czy oraz lub'.split(' '),
  },
  pt: { stem: ptStem, usual: ptUsual },
  ro: { stem: roStem, usual: roUsual },
  ru: { stem: ruStem, usual: ruUsual },
  sr: { stem: srStem, usual: srUsual },
  sv: { stem: svStem, usual: svUsual },
  ta: { stem: taStem, usual: taUsual },
  tr: { stem: trStem, usual: trUsual },
  uk: { stem: ukStem, usual: ukUsual },
};

/** Languages whose words are found by their stems. */
export const languagesWithStems: readonly string[] = Object.keys(languages);

/** Languages of words whose script the language of the page does not use. */
const byScript: [script: RegExp, language: string, alsoIn: readonly string[]][] = [
  [/\p{sc=Cyrillic}/u, 'ru', ['bg', 'sr', 'uk']],
  [/\p{sc=Greek}/u, 'el', []],
  [/\p{sc=Arabic}/u, 'ar', []],
  [/\p{sc=Hebrew}/u, 'he', []],
  [/\p{sc=Devanagari}/u, 'hi', ['ne']],
  [/\p{sc=Armenian}/u, 'hy', []],
  [/\p{sc=Tamil}/u, 'ta', []],
];
const written = new Set(byScript.flatMap(([, language, others]) => [language, ...others]));

/** Precedes a stem in the indexes. Not ASCII, because the tokenizer of SQLite splits words at other ASCII characters. */
const mark = '·';

const word = /[\p{L}\p{N}\p{M}]+/gu;
const shortestWord = 3;
const longestWord = 40;
/** Words whose stems are remembered, for each language. */
const maxKnown = 20_000;

/** The languages of these tags that have stems, each once: `de-AT` is `de`, and Bokmål and Nynorsk are Norwegian. */
function stemmedLanguages(tags: readonly string[]): string[] {
  const codes = tags.map((tag) => (tag.split(/[-_]/)[0] ?? '').toLowerCase());
  const known = codes.map((code) => (code === 'nb' || code === 'nn' ? 'no' : code));
  return [...new Set(known.filter((code) => Object.hasOwn(languages, code)))];
}

const byTag = new Map<string, string | undefined>();
const maxTags = 1000;

function languageOfTag(tag: string): string | undefined {
  let language = byTag.get(tag);
  if (language === undefined && !byTag.has(tag)) {
    if (byTag.size >= maxTags) byTag.clear();
    [language] = stemmedLanguages([tag]);
    byTag.set(tag, language);
  }
  return language;
}

/** The stem of one word, folded; undefined if there is none. */
export function stemOf(given: string, tag: string): string | undefined {
  return stemIn(given, languageOf(given, languageOfTag(tag)));
}

/** Marked stems of the words of a text that are not words themselves, each once, separated by spaces. */
export function joinedStemsOf(text: string, tag: string): string {
  const [language] = stemmedLanguages([tag]);
  const isPlain = isAscii(text);
  const shown = isPlain ? text : text.normalize('NFC').replace(foldRules.ignored, '');
  if (isPlain && (language === undefined || written.has(language))) return '';
  const words = new Set(shown.toLowerCase().match(isPlain ? /[a-z]{3,}/g : word) ?? []);
  const stems = new Set<string>();
  for (const one of words) {
    const stem = stemIn(one, isPlain ? language : languageOf(one, language));
    if (stem !== undefined && stem !== (isPlain ? one : fold(one))) stems.add(mark + stem);
  }
  return [...stems].join(' ');
}

/** Tokens of the indexes that stand for a word of a query in any of the languages: its stems with and without the mark. */
export function tokensOfStem(given: string, tags: readonly string[]): string[] {
  const lower = given.normalize('NFC').toLowerCase();
  const stems = new Set<string>();
  const some = stemmedLanguages(tags);
  // Words are often typed without their accents.
  for (const language of some.length > 0 ? some : [undefined])
    for (const one of [lower, fold(given)].flatMap((word) => spellingsOf(word, language ?? ''))) {
      const stem = stemIn(one, languageOf(one, language));
      if (stem !== undefined) stems.add(stem);
    }
  // Words that are as short have no stems.
  return [...stems].flatMap((stem) => (stem.length < shortestWord ? [mark + stem] : [mark + stem, stem]));
}

/** Whether a folded word is so usual in one of these languages that searches ignore it. */
export function isUsualWord(folded: string, tags: readonly string[]): boolean {
  return tags.some((tag) => {
    const language = languageOfTag(tag);
    return language !== undefined && usualIn(language).has(folded);
  });
}

/** Whether a search token stands for a stem and not for a word as written. */
export function isMarked(token: string): boolean {
  return token.startsWith(mark);
}

const usualByLanguage = new Map<string, Set<string>>();

function usualIn(language: string): Set<string> {
  let usual = usualByLanguage.get(language);
  if (!usual) {
    usual = new Set(languages[language]?.usual.map(fold));
    usualByLanguage.set(language, usual);
  }
  return usual;
}

function languageOf(word: string, language: string | undefined): string | undefined {
  if (isAscii(word)) return language !== undefined && written.has(language) ? undefined : language;
  for (const [script, usual, others] of byScript)
    if (script.test(word)) return language !== undefined && others.includes(language) ? language : usual;
  return language !== undefined && written.has(language) ? undefined : language;
}

const knownStems = new Map<string, Map<string, string | undefined>>();

function stemIn(word: string, language: string | undefined): string | undefined {
  if (language === undefined || word.length < shortestWord || word.length > longestWord) return undefined;
  let known = knownStems.get(language);
  if (!known || known.size >= maxKnown) {
    known = new Map();
    knownStems.set(language, known);
  }
  let stem = known.get(word);
  if (stem === undefined && !known.has(word)) {
    // Most stemmers of other scripts expect what folding leaves; others need the accents.
    const isFolded = written.has(language);
    const found = languages[language]?.stem(isFolded ? fold(word) : regular(word, language)) ?? '';
    const same = normalizedStem(fold(found), language);
    stem = isWord.test(same) ? same : undefined;
    known.set(word, stem);
  }
  return stem;
}

/** Text that the index takes as one token. */
const isWord = /^[\p{L}\p{N}\p{M}]+$/u;
