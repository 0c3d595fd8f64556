/**
 * Compares two states of a page: the fields one by one, the body by lines, and changed lines by words.
 *
 * Myers' algorithm takes time proportional to the length of the text times the number of differences, so both are limited:
 * common beginnings and endings are removed first, and beyond `maxEdits` differences the rest counts as replaced.
 */
import { type ArrayChange, diffArrays } from 'diff';
import type { Content } from '../model/page.ts';
import { type FieldName, fieldNames, same } from '../model/page-fields.ts';
import { shownDefaults, shownGroup } from '../model/page-group.ts';

/** Files are compared by `file-changes.ts`. */
type DiffedField = Exclude<FieldName, 'body' | 'msg'> | 'group' | 'defaults';

export interface FieldChange {
  field: DiffedField;
  from: unknown;
  to: unknown;
}

interface DiffPart {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

export interface DiffLine {
  kind: 'same' | 'removed' | 'added';
  /** Line numbers from 1; null on the side that lacks the line. */
  fromLine: number | null;
  toLine: number | null;
  text: string;
  /** Kept and removed words of a removed line, kept and added words of an added line; absent if all changed. */
  words?: DiffPart[];
}

/** Differing lines with their context. Lines between hunks are equal. */
export interface Hunk {
  lines: DiffLine[];
}

/** Comparison of two bodies, up to the number of lines that can be shown. */
export interface Comparison {
  hunks: Hunk[];
  /** Number of lines in hunks that are not included. */
  linesLeftOut: number;
}

/** Maximum number of lines in a comparison; rendering that many as HTML takes about 30 ms. */
const maxShownLines = 2500;
const maxShownCharacters = 400_000;
const maxEdits = 800;
const maxWordEdits = 200;
const maxWordLength = 10_000;
/** Beyond this number of lines words are not compared, because it is expensive and unreadable. */
const maxComparedLines = 1000;
const maxComparedCharacters = 200_000;
const contextLines = 3;

/** Fields besides the body, in the order in which they are shown. */
export const comparedFields: readonly DiffedField[] = [
  ...fieldNames.filter((name) => name !== 'body' && name !== 'msg'),
  'group',
  'defaults',
];

/** Compared fields that differ, with both values as they are shown. The body is not among them. */
export function diffFields(from: Content, to: Content): FieldChange[] {
  return comparedFields
    .filter((field) => !same(from[field], to[field]))
    .map((field) => ({ field, from: shownValue(from, field), to: shownValue(to, field) }));
}

function shownValue(content: Content, field: DiffedField): unknown {
  if (field === 'group') return shownGroup(content.group);
  return field === 'defaults' ? shownDefaults(content.defaults) : (content[field] ?? null);
}

/**
 * Changed lines with some lines around, words compared within changed lines. Quadratic for very different texts: callers bound
 * the length.
 */
export function diffBodies(from: string, to: string): Hunk[] {
  if (from === to) return [];
  const lines = wordsCompared(diffLines(from, to));
  return hunksOf(lines);
}

/** Long texts with little in common differ in all lines; showing them would take more than both texts together. */
export function compareBodies(from: string, to: string): Comparison {
  let lines = 0;
  let characters = 0;
  let linesLeftOut = 0;
  const hunks: Hunk[] = [];
  for (const hunk of diffBodies(from, to)) {
    const end = hunk.lines.findIndex(({ text }) => {
      characters += text.length;
      return ++lines > maxShownLines || characters > maxShownCharacters;
    });
    if (end !== 0) hunks.push(end < 0 ? hunk : { lines: hunk.lines.slice(0, end) });
    if (end >= 0) linesLeftOut += hunk.lines.length - end;
  }
  return { hunks, linesLeftOut };
}

function diffLines(from: string, to: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let fromLine = 1;
  let toLine = 1;
  for (const { kind, items } of diffItems(linesOf(from), linesOf(to), maxEdits)) {
    for (const text of items) {
      lines.push({
        kind,
        fromLine: kind === 'added' ? null : fromLine++,
        toLine: kind === 'removed' ? null : toLine++,
        text,
      });
    }
  }
  return lines;
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

interface Run {
  kind: DiffPart['kind'];
  items: string[];
}

/** Beyond `maxEditLength` differences, all between the first and the last one counts as replaced. */
export function diffItems(from: string[], to: string[], maxEditLength: number): Run[] {
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start++;
  let end = 0;
  while (end < from.length - start && end < to.length - start && from.at(-1 - end) === to.at(-1 - end)) end++;
  const [a, b] = [from.slice(start, from.length - end), to.slice(start, to.length - end)];
  const middle: ArrayChange<string>[] | undefined = diffArrays(a, b, { maxEditLength });
  const runs: Run[] = [{ kind: 'same', items: from.slice(0, start) }];
  if (middle) {
    for (const { added, removed, value } of middle) {
      runs.push({ kind: added ? 'added' : removed ? 'removed' : 'same', items: value });
    }
  } else {
    runs.push({ kind: 'removed', items: a }, { kind: 'added', items: b });
  }
  runs.push({ kind: 'same', items: from.slice(from.length - end) });
  return runs.filter(({ items }) => items.length > 0);
}

/** Pairs each removed line with the added line at the same position, and compares their words. */
function wordsCompared(lines: DiffLine[]): DiffLine[] {
  const compared = [...lines];
  let left = maxComparedLines;
  let charactersLeft = maxComparedCharacters;
  for (let i = 0; i < lines.length; ) {
    let removedEnd = i;
    while (lines[removedEnd]?.kind === 'removed') removedEnd++;
    let addedEnd = removedEnd;
    while (lines[addedEnd]?.kind === 'added') addedEnd++;
    const pairs = Math.min(removedEnd - i, addedEnd - removedEnd);
    for (let pair = 0; pair < pairs; pair++) {
      const [before, after] = [lines[i + pair], lines[removedEnd + pair]];
      if (!before || !after) continue;
      charactersLeft -= Math.max(before.text.length, after.text.length);
      const words = left-- > 0 && charactersLeft > 0 ? diffWords(before.text, after.text) : undefined;
      if (!words) continue;
      compared[i + pair] = { ...before, words: words.filter((part) => part.kind !== 'added') };
      compared[removedEnd + pair] = { ...after, words: words.filter((part) => part.kind !== 'removed') };
    }
    i = Math.max(addedEnd, i + 1);
  }
  return compared;
}

/** Returns undefined if the lines have so little in common that marking words would confuse. */
function diffWords(from: string, to: string): DiffPart[] | undefined {
  if (Math.max(from.length, to.length) > maxWordLength) return undefined;
  const parts = diffItems(wordsOf(from), wordsOf(to), maxWordEdits).map(({ kind, items }) => ({
    kind,
    text: items.join(''),
  }));
  const sameLength = parts.reduce(
    (sum, part) => sum + (part.kind === 'same' ? part.text.trim().length : 0),
    0,
  );
  return sameLength * 5 >= Math.min(from.length, to.length) ? parts : undefined;
}

function wordsOf(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

function hunksOf(lines: DiffLine[]): Hunk[] {
  const hunks: Hunk[] = [];
  let open: { lines: DiffLine[]; end: number } | undefined;
  for (const [index, line] of lines.entries()) {
    if (line.kind === 'same') continue;
    const from = Math.max(index - contextLines, open?.end ?? 0);
    if (!open || from > open.end) {
      open = { lines: [], end: from };
      hunks.push(open);
    }
    const end = Math.min(index + 1 + contextLines, lines.length);
    // Lines shared by both hunks are the same objects, so a context line that later turns out to differ is marked in both.
    open.lines.push(...lines.slice(open.end, end));
    open.end = Math.max(open.end, end);
  }
  return hunks.map(({ lines }) => ({ lines }));
}
