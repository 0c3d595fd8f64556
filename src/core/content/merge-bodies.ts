/**
 * Three-way merging of bodies by lines (Khanna, Kunal, Pierce: A Formal Investigation of Diff3). What both sides changed
 * alike is no conflict. Where both changed the same lines, these are merged by words: changes with an unchanged word between
 * them do not touch.
 */
import { diff3Merge } from 'node-diff3';
import { withMarks } from './conflict-marks.ts';

/** Past this many lines in the largest body, finding the common ones could take seconds: all of it counts as one conflict. */
const maxLines = 20_000;
/** The same of pairs of equal lines in two bodies, of which finding the common ones looks at each: some 400 ms. */
const maxPairs = 1_000_000;

/** Longer lines are not merged by words. */
const maxLineLength = 20_000;

/** Lines that are settled, or those of yours (`a`) and theirs (`b`) that both differ from the base's (`o`). */
export interface MergedRegion {
  ok?: string[];
  conflict?: { a: string[]; o: string[]; b: string[] };
}

/** Returns the merged text, or undefined if both sides changed the same lines. */
export function mergeBodies(yours: string, base: string, theirs: string): string | undefined {
  if (yours === theirs || base === theirs) return yours;
  if (yours === base) return theirs;
  const { text, conflicts } = mergeWithMarks(yours, base, theirs);
  return conflicts > 0 ? undefined : text;
}

/** Merges with conflict marks: both sides of each conflict stand between marks. */
export function mergeWithMarks(
  yours: string,
  base: string,
  theirs: string,
): { text: string; conflicts: number } {
  let conflicts = 0;
  const parts = mergeRegions(yours, base, theirs).flatMap(({ ok, conflict }) => {
    if (!conflict) return ok ?? [];
    conflicts++;
    return [withMarks(conflict.a, conflict.b)];
  });
  return { text: parts.join('\n'), conflicts };
}

/** The whole text as a sequence of regions. */
function mergeRegions(yours: string, base: string, theirs: string): MergedRegion[] {
  const a = yours.split('\n');
  const o = base.split('\n');
  const b = theirs.split('\n');
  if (Math.max(a.length, o.length, b.length) > maxLines) return [{ conflict: { a, o, b } }];
  // Common beginnings and endings, which make up most of a long page, are skipped.
  const shortest = Math.min(a.length, o.length, b.length);
  let start = 0;
  while (start < shortest && a[start] === o[start] && b[start] === o[start]) start++;
  let end = 0;
  while (end < shortest - start && a.at(-1 - end) === o.at(-1 - end) && b.at(-1 - end) === o.at(-1 - end))
    end++;
  const between = [a, o, b].map((lines) => lines.slice(start, lines.length - end)) as [Lines, Lines, Lines];
  return [
    ...(start > 0 ? [{ ok: o.slice(0, start) }] : []),
    ...mergedBetween(...between),
    ...(end > 0 ? [{ ok: o.slice(-end) }] : []),
  ];
}

type Lines = string[];

function mergedBetween(a: Lines, o: Lines, b: Lines): MergedRegion[] {
  if (pairsOf(a, o) + pairsOf(b, o) > maxPairs) return [{ conflict: { a, o, b } }];
  return diff3Merge(a, o, b, { excludeFalseConflicts: true }).map((region) => {
    const merged = region.conflict && mergedByWords(region.conflict);
    return merged ? { ok: merged } : region;
  });
}

/** Only where no side added or removed a line. Undefined if both changed the same words of a line. */
function mergedByWords({ a, o, b }: { a: Lines; o: Lines; b: Lines }): Lines | undefined {
  if (a.length !== o.length || b.length !== o.length) return undefined;
  const merged: Lines = [];
  for (const [index, line] of o.entries()) {
    const sides = [a[index] ?? '', line, b[index] ?? ''];
    if (sides.some(({ length }) => length > maxLineLength)) return undefined;
    const [yours = [], base = [], theirs = []] = sides.map(wordsOf);
    if (pairsOf(yours, base) + pairsOf(theirs, base) > maxPairs) return undefined;
    const regions = diff3Merge(yours, base, theirs, { excludeFalseConflicts: true });
    if (regions.some(({ conflict }) => conflict)) return undefined;
    merged.push(regions.flatMap(({ ok = [] }) => ok).join(''));
  }
  return merged;
}

/** Words with all that follows up to the next one, so that two changed words beside each other touch. */
function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}\p{M}_]+[^\p{L}\p{N}\p{M}_]*|[^\p{L}\p{N}\p{M}_]+/gu) ?? [];
}

function pairsOf(side: Lines, base: Lines): number {
  const counts = new Map<string, number>();
  for (const line of base) counts.set(line, (counts.get(line) ?? 0) + 1);
  return side.reduce((sum, line) => sum + (counts.get(line) ?? 0), 0);
}
