/**
 * Words as they are probably meant, for searches that find little. They come from pages that the reader sees and that have a word
 * with the same beginning, so that no hidden page shows in what is suggested.
 */
import { fold } from '../model/fold.ts';
import { stemOf } from '../model/stems.ts';
import { isUnspaced, type Phrase, type TextQuery } from '../model/terms.ts';
import type { SearchCriteria } from '../ports/list-reads.ts';
import type { Reader } from '../ports/reader.ts';
import { editsBetween } from './likeness.ts';

/** Pages whose words are compared, for each misspelt word, and the words of a query that are looked up. */
const comparedPages = 100;
const maxCorrected = 3;
/** Shorter words are like too many others. */
const shortestWord = 4;
const longWord = 8;
const longestWord = 40;

const word = /[\p{L}\p{N}\p{M}]+/gu;

/** The query with its misspelt words replaced, or undefined if nothing like them is known. One or two statements for each word. */
export async function correctSpelling(
  reader: Reader,
  query: string,
  { text, ...criteria }: SearchCriteria,
): Promise<string | undefined> {
  const meant = new Map<string, string>();
  const words = [...wordsOf(text?.phrases ?? [])].slice(0, maxCorrected);
  const found = await Promise.all(words.map(([typed, stems]) => nearestWord(reader, typed, stems, criteria)));
  for (const [i, nearest] of found.entries())
    if (nearest !== undefined) meant.set(words[i]?.[0] ?? '', nearest);
  if (meant.size === 0) return undefined;
  return query.normalize('NFC').replace(word, (typed) => meant.get(fold(typed)) ?? typed);
}

/** Single words outside double quotes that are long enough, with their stems. Words with synonyms are no errors. */
function wordsOf(phrases: TextQuery['phrases']): Map<string, ReadonlySet<string>> {
  const all = phrases.flatMap((phrase) =>
    phrase.or?.some(({ isSynonym }) => isSynonym) ? [] : [phrase, ...(phrase.or ?? [])],
  );
  return new Map(
    all.flatMap(({ terms: [term = '', another], isQuoted, stems }) =>
      another === undefined && !isQuoted && isCorrected(term) ? [[term, new Set(stems)] as const] : [],
    ),
  );
}

function isCorrected(term: string): boolean {
  const { length } = [...term];
  return length >= shortestWord && length <= longestWord && !isUnspaced(term) && !/\p{N}/u.test(term);
}

async function nearestWord(
  reader: Reader,
  typed: string,
  stems: ReadonlySet<string>,
  criteria: SearchCriteria,
): Promise<string | undefined> {
  if (await isKnown(reader, typed, criteria)) return undefined;
  const phrases = beginningsOf(typed).map((beginning): Phrase => ({ terms: [beginning], prefix: true }));
  const { pages } = await reader.lists.likely(
    { ...criteria, text: { phrases, excluded: [] } },
    comparedPages,
  );
  const letters = [...typed];
  const mostEdits = letters.length < longWord ? 1 : 2;
  const near = new Map<string, { shown: string; edits: number; pages: number }>();
  for (const { title, body, language } of pages) {
    const tag = language ?? reader.dialect.language;
    for (const shown of new Set(`${title}\n${body}`.normalize('NFC').toLowerCase().match(word))) {
      if (Math.abs(shown.length - typed.length) > mostEdits + 1) continue;
      const folded = fold(shown);
      // The word itself or another form of it is known, and nothing is misspelt.
      if (folded === typed || stems.has(stemOf(shown, tag) ?? '')) return undefined;
      const known = near.get(folded);
      if (known) known.pages++;
      else near.set(folded, { shown, edits: editsBetween(letters, [...folded]), pages: 1 });
    }
  }
  const [nearest] = [...near.values()]
    .filter(({ edits }) => edits <= mostEdits)
    .sort((a, b) => a.edits - b.edits || b.pages - a.pages || (a.shown < b.shown ? -1 : 1));
  return nearest?.shown;
}

/** Whether a page has the very word. Most words of a query that finds little are known, and need not be compared with others. */
async function isKnown(reader: Reader, typed: string, criteria: SearchCriteria): Promise<boolean> {
  const text = { phrases: [{ terms: [typed], prefix: false }], excluded: [] };
  const order = 'last created';
  return (await reader.lists.search({ ...criteria, text, order, offset: 0, limit: 1 })).total > 0;
}

/** Beginnings that the meant word may have: of the typed one, and of it with its first letters swapped, left out or doubled. */
function beginningsOf(typed: string): string[] {
  const letters = [...typed];
  const [first = '', second = '', ...rest] = letters;
  const lengths = [2, 3, Math.ceil(letters.length / 2), letters.length - 2, letters.length - 1];
  const cut = (some: string[], length: number) => some.slice(0, Math.max(2, length)).join('');
  return [
    ...new Set([
      ...lengths.map((length) => cut(letters, length)),
      cut([second, first, ...rest], 4),
      cut([second, ...rest], 4),
      cut([first, ...rest], 3),
    ]),
  ];
}
