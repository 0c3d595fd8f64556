/**
 * Words as they are probably meant, for searches that find little. They come from pages that the reader sees and that have a word
 * at a distance of one letter or with the same beginning, so that no hidden page shows in what is suggested.
 */
import { fold } from '../model/fold.ts';
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

/** Words beside the typed one that are looked up at once. */
const mostLookedUp = 600;
/** Letters as they are folded. Words of other scripts are looked up by their beginnings. */
const alphabets = [
  'abcdefghijklmnopqrstuvwxyz',
  'абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґђјљњћџў',
  'αβγδεζηθικλμνξοπρστυφχψω',
  'אבגדהוזחטיךכלםמןנסעףפץצקרשת',
  'ابتثجحخدذرزسشصضطظعغفقكلمنهويىةءؤئپچژگکی',
  'აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ',
  'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ',
];

const word = /[\p{L}\p{N}\p{M}]+/gu;

/** The query with its misspelt words replaced, or undefined if nothing like them is known. A few statements for each word. */
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
  if (await isKnown(reader, typed, stems, criteria)) return undefined;
  const letters = [...typed];
  const alphabet = alphabets.find((some) => letters.every((letter) => some.includes(letter)));
  const [first, ...others] = wordsBeside(letters, alphabet ?? '')
    .slice(0, mostLookedUp)
    .map(exactly);
  const beside = first ? await nearestOf(reader, typed, criteria, [{ ...first, or: others }]) : undefined;
  // Other words are farther than that, if all beside the typed one could be looked up.
  if (beside !== undefined || (alphabet && letters.length < longWord)) return beside;
  const beginnings = beginningsOf(letters).map((beginning): Phrase => ({ terms: [beginning], prefix: true }));
  return nearestOf(reader, typed, criteria, beginnings);
}

function exactly(term: string): Phrase {
  return { terms: [term], prefix: false };
}

/**
 * Whether a page has the very word, or another form of it. Most words of a query that finds little are known, and need not be
 * compared with others.
 */
async function isKnown(
  reader: Reader,
  typed: string,
  stems: ReadonlySet<string>,
  criteria: SearchCriteria,
): Promise<boolean> {
  const text = { phrases: [{ ...exactly(typed), stems: [...stems] }], excluded: [] };
  // Only the total is of interest, which needs no ranks.
  const order = 'last created';
  return (await reader.lists.search({ ...criteria, text, order, offset: 0, limit: 0 })).total > 0;
}

/** The words at a distance of one letter: swapped, left out, or another letter of the alphabet in its place or before it. */
function wordsBeside(letters: readonly string[], alphabet: string): string[] {
  const [swapped, shorter, others]: string[][] = [[], [], []];
  for (let i = 0; i <= letters.length; i++) {
    const [before, letter = '', next = ''] = [letters.slice(0, i).join(''), letters[i], letters[i + 1]];
    const after = letters.slice(i + 1).join('');
    if (next !== '') swapped?.push(before + next + letter + letters.slice(i + 2).join(''));
    if (letter !== '') shorter?.push(before + after);
    for (const other of alphabet) {
      others?.push(before + other + letter + after);
      if (letter !== '') others?.push(before + other + after);
    }
  }
  return [...new Set([...(swapped ?? []), ...(shorter ?? []), ...(others ?? [])])];
}

/** Beginnings that the meant word may have: of the typed one, and of it with its first letters swapped, left out or doubled. */
function beginningsOf(letters: readonly string[]): string[] {
  const [first = '', second = '', ...rest] = letters;
  const lengths = [3, Math.ceil(letters.length / 2), letters.length - 2, letters.length - 1];
  const cut = (some: readonly string[], length: number) => some.slice(0, Math.max(2, length)).join('');
  return [
    ...new Set([
      ...lengths.map((length) => cut(letters, length)),
      cut([second, first, ...rest], 4),
      cut([second, ...rest], 4),
      cut([first, ...rest], 3),
    ]),
  ];
}

/** The nearest word of the pages that have one of the phrases, as it is written there; of equally near ones that of most pages. */
async function nearestOf(
  reader: Reader,
  typed: string,
  criteria: SearchCriteria,
  phrases: Phrase[],
): Promise<string | undefined> {
  const { pages, numbered } = await reader.lists.likely(
    { ...criteria, text: { phrases, excluded: [] } },
    comparedPages,
  );
  const letters = [...typed];
  const mostEdits = letters.length < longWord ? 1 : 2;
  const near = new Map<number, { term: string; edits: number; pages: number; page: number }>();
  const isFar = new Set<number>();
  for (const page of pages)
    for (const number of new Set([...page.title, ...page.body])) {
      if (isFar.has(number)) continue;
      const known = near.get(number);
      if (known) {
        known.pages++;
        continue;
      }
      const term = numbered.terms[number] ?? '';
      const mayBeNear =
        Math.abs(term.length - typed.length) <= mostEdits && differingLetters(term, typed) <= 2 * mostEdits;
      const edits = mayBeNear ? editsBetween(letters, [...term]) : Number.POSITIVE_INFINITY;
      if (edits > mostEdits) isFar.add(number);
      else near.set(number, { term, edits, pages: 1, page: page.id });
    }
  const [nearest] = [...near.values()].sort(
    (a, b) => a.edits - b.edits || b.pages - a.pages || (a.term < b.term ? -1 : 1),
  );
  return nearest && writtenIn(reader, nearest.page, nearest.term);
}

/** How many letters only one of two words has, some of them counted as one. An edit changes it by two at most. */
function differingLetters(a: string, b: string): number {
  let differing = lettersIn(a) ^ lettersIn(b);
  let count = 0;
  for (; differing !== 0; differing &= differing - 1) count++;
  return count;
}

function lettersIn(word: string): number {
  let letters = 0;
  for (let i = 0; i < word.length; i++) letters |= 1 << (word.charCodeAt(i) & 31);
  return letters;
}

/** A folded word as a page has it, in lower case. */
async function writtenIn(reader: Reader, id: number, term: string): Promise<string> {
  const [page] = await reader.pages.load([id], 'none');
  const words = `${page?.title}\n${page?.content.body}`.normalize('NFC').toLowerCase().matchAll(word);
  for (const [written] of words) if (fold(written) === term) return written;
  return term;
}
