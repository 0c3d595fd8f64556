/**
 * Compares texts by paragraphs: the lines between blank lines, in either format. And finds which paragraph of a translation renders
 * which paragraph of its original.
 */
import { diffItems } from './diff.ts';

/** Beyond them, all between the first and the last one counts as replaced; so many take some 20 ms. */
const maxEdits = 400;

/** A paragraph that is new, gone or different. */
export interface ParagraphChange {
  /** The same for the same texts, whatever else changes. */
  key: string;
  before: string | undefined;
  after: string | undefined;
  /** Place among the paragraphs before; of a new one, the place of the paragraph that followed there. */
  place: number;
}

/** Paragraphs that stand in the place of others are one change each, even if there are fewer or more of them. In their order. */
export function paragraphChanges(from: string, to: string): ParagraphChange[] {
  const changes: ParagraphChange[] = [];
  let [removed, added]: [string[], string[]] = [[], []];
  let place = 0;
  const end = () => {
    const first = place - removed.length;
    for (let i = 0; i < Math.max(removed.length, added.length); i++) {
      const [before, after] = [removed[i], added[i]];
      changes.push({ key: keyOf(before, after), before, after, place: Math.min(first + i, place) });
    }
    [removed, added] = [[], []];
  };
  for (const { kind, items } of diffItems(paragraphsOf(from), paragraphsOf(to), maxEdits)) {
    if (kind === 'added') {
      added = added.concat(items);
      continue;
    }
    if (kind === 'same') end();
    else removed = removed.concat(items);
    place += items.length;
  }
  end();
  return changes;
}

/** A change of an original, beside the paragraph of a translation that renders the one before; undefined if none seems to. */
export interface Untranslated extends ParagraphChange {
  translation: string | undefined;
}

/** Texts of an original, and of its translation if its paragraphs are wanted. */
export interface ComparedTexts {
  before: string;
  after: string;
  translation?: string | undefined;
}

/** Changed paragraphs of the original in their order. */
export function compareParagraphs({ before, after, translation }: ComparedTexts): Untranslated[] {
  const changes = paragraphChanges(before, after);
  const translated = translation === undefined || changes.length === 0 ? [] : paragraphsOf(translation);
  const places = translated.length === 0 ? [] : translatedPlaces(paragraphsOf(before), translated);
  return changes.map((change) => {
    const place = change.before === undefined ? undefined : places[change.place];
    return { ...change, translation: place === undefined ? undefined : translated[place] };
  });
}

/** Parts of a plain text between empty lines, without white space at the ends of lines. */
export function paragraphsOf(text: string): string[] {
  const paragraphs: string[] = [];
  let lines: string[] = [];
  for (const line of [...text.split('\n'), '']) {
    if (line.trim() !== '') lines.push(line.trimEnd());
    else if (lines.length > 0) {
      paragraphs.push(lines.join('\n'));
      lines = [];
    }
  }
  return paragraphs;
}

/** Two numbers of 32 bits, FNV-1a from different beginnings. Equal keys of different texts would hide one change. */
function keyOf(before = '', after = ''): string {
  const text = `${before}\n\n${after}`;
  let [one, other] = [0x811c9dc5, 0x9747b28c];
  for (let i = 0; i < text.length; i++) {
    one = Math.imul(one ^ text.charCodeAt(i), 0x01000193);
    other = Math.imul(other ^ text.charCodeAt(i), 0x01000193) + i;
  }
  return `${(one >>> 0).toString(36)}-${(other >>> 0).toString(36)}`;
}

/** Pairs of paragraphs that are weighed; more are taken by their order. */
const maxPairs = 250_000;
/** Cost of a paragraph that the other text lacks, beside 0 for two of equal kind and length and up to 2 for any two. */
const lacking = 0.6;

/**
 * For each paragraph of an original the place of its translation; undefined if it has none. The cheapest way through both texts in
 * order, by the kinds of paragraphs and their share of the text, as Gale and Church align sentences (1993).
 */
function translatedPlaces(
  original: readonly string[],
  translation: readonly string[],
): (number | undefined)[] {
  const [n, m] = [original.length, translation.length];
  if (n === m || n * m > maxPairs) return original.map((_, i) => (i < m ? i : undefined));
  const ratio = lengthOf(translation) / Math.max(1, lengthOf(original));
  const [originals, translated] = [original.map(shapeOf), translation.map(shapeOf)];
  const width = m + 1;
  const costs = new Float64Array((n + 1) * width);
  const costAt = (i: number, j: number) => costs[i * width + j] ?? 0;
  const pairCost = (i: number, j: number) => costOf(originals[i] ?? empty, translated[j] ?? empty, ratio);
  for (let i = 0; i <= n; i++)
    for (let j = 0; j <= m; j++) {
      if (i + j === 0) continue;
      const both = i > 0 && j > 0 ? costAt(i - 1, j - 1) + pairCost(i - 1, j - 1) : Infinity;
      const without = i > 0 ? costAt(i - 1, j) + lacking : Infinity;
      costs[i * width + j] = Math.min(both, without, j > 0 ? costAt(i, j - 1) + lacking : Infinity);
    }
  const places: (number | undefined)[] = Array.from({ length: n });
  for (let [i, j] = [n, m]; i > 0; ) {
    if (j > 0 && costAt(i, j) === costAt(i - 1, j - 1) + pairCost(i - 1, j - 1)) places[--i] = --j;
    else if (costAt(i, j) === costAt(i - 1, j) + lacking) i--;
    else j--;
  }
  return places;
}

function lengthOf(paragraphs: readonly string[]): number {
  return paragraphs.reduce((sum, { length }) => sum + length, 0);
}

/** The facts of a paragraph that are weighed. `kind`: marks at its beginning, such as those of a heading, a list, a table or a template. */
interface Shape {
  length: number;
  kind: string;
}

const empty: Shape = { length: 0, kind: '' };

function shapeOf(paragraph: string): Shape {
  const marks = /^(?:=+|#+|[*:;-]|\d+\.|\{\||\{\{|\[\[[^\]|]{0,300}\.\w{3,4}|[|<>])?/.exec(
    paragraph.slice(0, 320),
  )?.[0];
  return { length: paragraph.length, kind: marks?.slice(0, 3) ?? '' };
}

function costOf(one: Shape, other: Shape, ratio: number): number {
  const [a, b] = [one.length * ratio, other.length];
  return Math.abs(a - b) / (a + b + 1) + (one.kind === other.kind ? 0 : 1);
}
