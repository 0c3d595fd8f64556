/** Alignment of two lists: which entries of the old one are which of the new one. */
import { longestMatch } from '../to-wikitext/match.ts';
import type { Block, SourceBlock, Unit } from './nodes.ts';

/** Larger parts of two lists are compared only by entries that occur once. */
const maxProduct = 250_000;

/** Index in `now` → index in `old`, both ascending. */
export function alignKeys(old: readonly string[], now: readonly string[]): Map<number, number> {
  const matched = longestMatch(old, now);
  const pairs = new Map<number, number>();
  let from = 0;
  let to = 0;
  for (const [one, other] of [...ascending(matched), [old.length, now.length] as const]) {
    if (one < from || other < to) continue;
    for (const [left, right] of commonSubsequence(old.slice(from, one), now.slice(to, other)))
      pairs.set(to + right, from + left);
    if (one < old.length) pairs.set(other, one);
    from = one + 1;
    to = other + 1;
  }
  return pairs;
}

function ascending(matched: ReadonlyMap<number, number>): (readonly [number, number])[] {
  const sorted = [...matched].sort(([one], [other]) => one - other);
  let last = -1;
  return sorted.filter(([, to]) => {
    if (to <= last) return false;
    last = to;
    return true;
  });
}

function commonSubsequence(old: readonly string[], now: readonly string[]): [number, number][] {
  const [rows, columns] = [old.length, now.length];
  if (rows === 0 || columns === 0 || rows * columns > maxProduct) return [];
  const width = columns + 1;
  const lengths = new Uint32Array((rows + 1) * width);
  for (let row = rows - 1; row >= 0; row--)
    for (let column = columns - 1; column >= 0; column--)
      lengths[row * width + column] =
        old[row] === now[column]
          ? (lengths[(row + 1) * width + column + 1] ?? 0) + 1
          : Math.max(lengths[(row + 1) * width + column] ?? 0, lengths[row * width + column + 1] ?? 0);
  const found: [number, number][] = [];
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    if (old[row] === now[column]) found.push([row++, column++]);
    else if ((lengths[(row + 1) * width + column] ?? 0) >= (lengths[row * width + column + 1] ?? 0)) row++;
    else column++;
  }
  return found;
}

/** Aligns characters and inline nodes: first whole words, then the characters at both ends of words that differ. */
export function alignUnits(old: readonly Unit[], now: readonly Unit[]): Map<number, number> {
  const before = wordsOf(old);
  const after = wordsOf(now);
  const words = alignKeys(
    before.map(({ key }) => key),
    after.map(({ key }) => key),
  );
  const pairs = new Map<number, number>();
  let from = 0;
  let to = 0;
  const ends = [...words, [after.length, before.length] as const];
  for (const [word, match] of ends) {
    const start = before[match]?.start ?? old.length;
    const other = after[word]?.start ?? now.length;
    alignEnds({ units: old, from, to: start }, { units: now, from: to, to: other }, pairs);
    const length = before[match]?.length ?? 0;
    for (let at = 0; at < length; at++) pairs.set(other + at, start + at);
    from = start + length;
    to = other + length;
  }
  return new Map([...pairs].sort(([one], [other]) => one - other));
}

type Part = { units: readonly Unit[]; from: number; to: number };

function alignEnds(old: Part, now: Part, pairs: Map<number, number>): void {
  let { from } = old;
  let { from: at } = now;
  while (from < old.to && at < now.to && old.units[from]?.value === now.units[at]?.value)
    pairs.set(at++, from++);
  for (let end = old.to, last = now.to; end > from && last > at; ) {
    if (old.units[--end]?.value !== now.units[--last]?.value) break;
    pairs.set(last, end);
  }
}

function wordsOf(units: readonly Unit[]): { key: string; start: number; length: number }[] {
  const words: { key: string; start: number; length: number }[] = [];
  let isInWord = false;
  for (const [start, { value, node }] of units.entries()) {
    const isWord = !node && /[\p{L}\p{N}\p{M}_]/u.test(value);
    const last = words.at(-1);
    if (isWord && isInWord && last) {
      last.key += value;
      last.length++;
    } else words.push({ key: value, start, length: 1 });
    isInWord = isWord;
  }
  return words;
}

/** Aligns the children of a container: equal ones, then those that come from the same place of the source. */
export function alignBlocks(old: readonly SourceBlock[], now: readonly Block[]): Map<number, number> {
  const equal = alignKeys(
    old.map(({ key }) => key),
    now.map(({ key }) => key),
  );
  const pairs = new Map<number, number>();
  let from = 0;
  let to = 0;
  for (const [other, one] of [...equal, [now.length, old.length] as const]) {
    const left = old.slice(from, one);
    const right = now.slice(to, other);
    const hasOrigins = right.some(({ origin }) => origin);
    for (const [index, match] of alignKeys(
      left.map(({ type, origin }) => (hasOrigins ? `${type} ${origin.start} ${origin.end}` : type)),
      right.map(({ type, origin }) => (hasOrigins ? `${type} ${origin?.start} ${origin?.end}` : type)),
    ))
      pairs.set(to + index, from + match);
    if (one < old.length) pairs.set(other, one);
    from = one + 1;
    to = other + 1;
  }
  return pairs;
}
