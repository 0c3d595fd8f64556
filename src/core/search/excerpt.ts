/** The part of a page's text that matched a search, with the matching words marked. */
import { plainText } from '@coppice/wikitext';
import { fold, foldMapped, isAscii } from '../model/fold.ts';
import { isMarked } from '../model/stems.ts';
import type { Synonyms } from '../model/synonyms.ts';
import { isUnspaced, readTextQuery, runsWithOffsets } from '../model/terms.ts';
import type { Reader } from '../ports/reader.ts';

export interface ExcerptPart {
  text: string;
  isMatch: boolean;
}

/** How words of a query match those of a text: by stems of its language, and by what means the same. */
export interface Speech {
  language: string;
  synonyms: Synonyms;
}

/** The speech of a page in a language, or in that of the wiki. */
export function speechOf(
  { dialect, synonyms }: Pick<Reader, 'dialect' | 'synonyms'>,
  language?: string | null,
): Speech {
  return { language: language ?? dialect.language, synonyms };
}

const shownLength = 240;
/** Shorter stems begin too many words. */
const shortestStem = 3;
const leadLength = 60;
/** Length of source read around the first match: rendering a whole long page to show one line would take too long. */
const windowLength = 600;
/** Characters of source that are searched for a match, all together and at a time; a term is shorter than the overlap. */
const maxSearched = 500_000;
const partLength = 2000;
const overlap = 200;
/** Characters of source that are folded for it, which costs more; beyond them, accented forms of the words are missed. */
const maxFolded = 100_000;

/** About 240 characters of a body's plain text around the first match, or from its beginning if nothing matches. */
export function excerptOf(body: string, query: string, speech?: Speech): ExcerptPart[] {
  const at = matchIn(body, query, speech);
  const from = at < windowLength ? 0 : lineStart(body, at - windowLength);
  const text = plainText(body.slice(from, Math.max(at, 0) + 2 * windowLength))
    .replace(/\s+/gu, ' ')
    .trim();
  const matches = matchesOf(text, query, speech);
  const first = matches[0]?.start ?? 0;
  const start = first > leadLength ? wordStart(text, first - leadLength) : 0;
  const end = text.length <= start + shownLength ? text.length : wordEnd(text, start + shownLength);
  const parts = mark(text, start, end, matches);
  if (start > 0 || from > 0) parts.unshift({ text: '… ', isMatch: false });
  if (end < text.length) parts.push({ text: ' …', isMatch: false });
  return parts;
}

/** Offset of the first match in the source; −1 if there is none. */
export function matchIn(body: string, query: string, speech?: Speech): number {
  return firstMatch(body, queryTermsOf(query, speech));
}

/** Offset of one of the terms in the source, as a word or the beginning of one; −1 if none occurs. */
function firstMatch(body: string, terms: Term[]): number {
  // Searched in parts, because most texts have a match in the first one.
  for (let from = 0; from < Math.min(body.length, maxSearched); from += partLength) {
    const part = body.slice(from, from + partLength + overlap);
    const isFolded = from < maxFolded && !isAscii(part);
    const found = firstMatchIn(isFolded ? fold(part) : part.toLowerCase(), terms);
    if (found < 0) continue;
    return from + (isFolded ? foldMapped(part).originalRange(found, found + 1).start : found);
  }
  return -1;
}

function firstMatchIn(folded: string, terms: Term[]): number {
  let first = -1;
  for (const { term } of terms) {
    for (
      let at = folded.indexOf(term);
      at >= 0 && (first < 0 || at < first);
      at = folded.indexOf(term, at + 1)
    ) {
      const before = folded[at - 1] ?? ' ';
      if (!isUnspaced(term) && /[\p{L}\p{N}]/u.test(before) && !isUnspaced(before)) continue;
      first = at;
      break;
    }
  }
  return first;
}

function lineStart(body: string, at: number): number {
  return body.lastIndexOf('\n', at) + 1 || at;
}

/** A whole short text, such as a title, with matches marked. */
export function markMatches(text: string, query: string, speech?: Speech): ExcerptPart[] {
  return mark(text, 0, text.length, matchesOf(text, query, speech));
}

function mark(
  text: string,
  start: number,
  end: number,
  matches: { start: number; end: number }[],
): ExcerptPart[] {
  const parts: ExcerptPart[] = [];
  let at = start;
  for (const match of matches) {
    if (match.start < at) continue;
    if (match.end > end) break;
    if (match.start > at) parts.push({ text: text.slice(at, match.start), isMatch: false });
    parts.push({ text: text.slice(match.start, match.end), isMatch: true });
    at = match.end;
  }
  if (at < end) parts.push({ text: text.slice(at, end), isMatch: false });
  return parts;
}

interface Term {
  term: string;
  prefix: boolean;
}

/** Words begin with their stems, but for a few endings. */
function queryTermsOf(query: string, speech?: Speech): Term[] {
  const { phrases = [] } = readTextQuery(query, speech ? [speech.language] : [], speech?.synonyms) ?? {};
  return phrases
    .flatMap((phrase) => [phrase, ...(phrase.or ?? [])])
    .flatMap(({ terms, prefix, stems = [] }) => [
      ...terms.map((term, i) => ({ term, prefix: prefix && i === terms.length - 1 })),
      ...stems
        .filter((stem) => !isMarked(stem) && stem.length >= shortestStem)
        .map((stem) => ({ term: stem.replace(/(?<=...)e$/, ''), prefix: true })),
    ]);
}

/** Words that equal or begin with a term of the query; in scripts that are split, the query's own characters. */
function matchesOf(text: string, query: string, speech?: Speech): { start: number; end: number }[] {
  const terms = queryTermsOf(query, speech);
  if (terms.length === 0) return [];
  const { folded, originalRange } = foldMapped(text);
  return [...runsWithOffsets(folded)].flatMap(({ run, at }) =>
    matchesIn(run, terms).map(({ start, end }) => originalRange(at + start, at + end)),
  );
}

function matchesIn(run: string, terms: Term[]): { start: number; end: number }[] {
  if (!isUnspaced(run)) {
    const isMatch = terms.some(({ term, prefix }) => (prefix ? run.startsWith(term) : run === term));
    return isMatch ? [{ start: 0, end: run.length }] : [];
  }
  const found = terms
    .filter(({ term }) => isUnspaced(term))
    .flatMap(({ term }) => placesOf(term, run))
    .sort((a, b) => a.start - b.start);
  const matches: { start: number; end: number }[] = [];
  for (const { start, end } of found) {
    const last = matches.at(-1);
    // Pairs overlap, so a match next to the previous one extends it.
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else matches.push({ start, end });
  }
  return matches;
}

function placesOf(term: string, run: string): { start: number; end: number }[] {
  const places: { start: number; end: number }[] = [];
  for (let at = run.indexOf(term); at >= 0; at = run.indexOf(term, at + term.length))
    places.push({ start: at, end: at + term.length });
  return places;
}

function wordStart(text: string, at: number): number {
  const space = text.indexOf(' ', at);
  return space >= 0 && space < at + 30 ? space + 1 : at;
}

function wordEnd(text: string, at: number): number {
  const space = text.lastIndexOf(' ', at);
  return space > at - 30 ? space : at;
}
