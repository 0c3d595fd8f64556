/**
 * Three-way merging of bodies by lines. What both sides changed alike is no conflict. Where both changed the same lines, these are
 * merged by words: changes with an unchanged word between them do not touch.
 */
import { withMarks } from './conflict-marks.ts';
import { type MergeBudget, type MergedRegion, merge3 } from './diff3.ts';

/** Past this many lines in the largest body, all of it counts as one conflict. */
const maxLines = 20_000;
/** Pairs of equal lines and words that a merge looks at: some 50 ms. What is left then counts as a conflict. */
export const maxPairs = 1_000_000;

/** Longer lines are not merged by words. */
const maxLineLength = 20_000;

/** Returns the merged text, or undefined if both sides changed the same lines. */
export function mergeBodies(
  yours: string,
  base: string,
  theirs: string,
  budget?: MergeBudget,
): string | undefined {
  if (yours === theirs || base === theirs) return yours;
  if (yours === base) return theirs;
  const { text, conflicts } = mergeWithMarks(yours, base, theirs, budget);
  return conflicts > 0 ? undefined : text;
}

/** Merges with conflict marks: both sides of each conflict stand between marks. */
export function mergeWithMarks(
  yours: string,
  base: string,
  theirs: string,
  budget: MergeBudget = { pairs: maxPairs },
): { text: string; conflicts: number } {
  let conflicts = 0;
  const parts = mergeRegions(yours, base, theirs, budget).flatMap(({ ok, conflict }) => {
    if (!conflict) return ok ?? [];
    conflicts++;
    return [withMarks(conflict.a, conflict.b)];
  });
  return { text: parts.join('\n'), conflicts };
}

/** The whole text as a sequence of regions. */
function mergeRegions(yours: string, base: string, theirs: string, budget: MergeBudget): MergedRegion[] {
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
    ...mergedBetween(...between, budget),
    ...(end > 0 ? [{ ok: o.slice(-end) }] : []),
  ];
}

type Lines = string[];

function mergedBetween(a: Lines, o: Lines, b: Lines, budget: MergeBudget): MergedRegion[] {
  const regions = merge3(a, o, b, budget) ?? [{ conflict: { a, o, b } }];
  return regions.map((region) => {
    const merged = region.conflict && mergedByWords(region.conflict, budget);
    return merged ? { ok: merged } : region;
  });
}

/** Only where no side added or removed a line. Undefined if both changed the same words of a line. */
function mergedByWords(
  { a, o, b }: { a: Lines; o: Lines; b: Lines },
  budget: MergeBudget,
): Lines | undefined {
  if (a.length !== o.length || b.length !== o.length) return undefined;
  const merged: Lines = [];
  for (const [index, line] of o.entries()) {
    const sides = [a[index] ?? '', line, b[index] ?? ''];
    if (sides.some(({ length }) => length > maxLineLength)) return undefined;
    const [yours = [], base = [], theirs = []] = sides.map(wordsOf);
    const regions = merge3(yours, base, theirs, budget);
    if (!regions || regions.some(({ conflict }) => conflict)) return undefined;
    merged.push(regions.flatMap(({ ok = [] }) => ok).join(''));
  }
  return merged;
}

/** Words with all that follows up to the next one, so that two changed words beside each other touch. */
function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}\p{M}_]+[^\p{L}\p{N}\p{M}_]*|[^\p{L}\p{N}\p{M}_]+/gu) ?? [];
}
