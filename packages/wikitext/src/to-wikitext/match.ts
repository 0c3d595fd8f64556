/** Patience diff: matches entries that are unique in both lists and in the same order, and equal entries next to them. */

import type { HtmlNode } from './html-tree.ts';

/** Returns index in `old` → index in `now`. O(n log n). */
export function longestMatch(old: readonly string[], now: readonly string[]): Map<number, number> {
  const matched = new Map<number, number>();
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) matched.set(start, start++);
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  ) {
    end++;
    matched.set(old.length - end, now.length - end);
  }
  for (const [from, to] of uniquePairs(old, now, start, end)) matched.set(from, to);
  // Extends each match to equal entries next to it: first after it, then before it.
  const pairs = [...matched].sort(([one], [other]) => one - other);
  const taken = new Set(matched.values());
  for (const step of [1, -1]) {
    for (const [from, to] of step > 0 ? pairs : pairs.toReversed()) {
      let one = from + step;
      let other = to + step;
      while (old[one] !== undefined && old[one] === now[other] && !matched.has(one) && !taken.has(other)) {
        matched.set(one, other);
        taken.add(other);
        one += step;
        other += step;
      }
    }
  }
  return matched;
}

type Part = { key: string; node: HtmlNode };

/**
 * Matches equal parts, and between them edited ones: those that say they come from the same place of the source. Among several
 * equal parts, such as items of which nothing shows, the place says which of them is gone.
 */
export function matchParts(old: readonly Part[], now: readonly Part[]): Map<number, number> {
  const place = ({ node }: Part) =>
    node.type === 'element' && node.attributes['data-source'] !== undefined
      ? `${/^h\d$/.test(node.name) ? 'heading' : node.name} ${node.attributes['data-source']}`
      : undefined;
  let matched = new Map<number, number>();
  for (const label of [
    (part: Part) => `${place(part)} ${part.key}`,
    (part: Part) => part.key,
    (part: Part) => place(part) ?? part.key,
  ]) {
    const back = new Map([...matched].map(([from, to]) => [to, from]));
    matched = longestMatch(
      old.map((part, index) => (matched.has(index) ? `=${index}` : label(part))),
      now.map((part, index) => (back.has(index) ? `=${back.get(index)}` : label(part))),
    );
  }
  return matched;
}

/** Returns the longest increasing sequence of pairs, among entries that occur once in each list. */
function uniquePairs(
  old: readonly string[],
  now: readonly string[],
  start: number,
  end: number,
): [number, number][] {
  const places = (list: readonly string[]) => {
    const found = new Map<string, number>();
    for (let at = start; at < list.length - end; at++)
      found.set(list[at] ?? '', found.has(list[at] ?? '') ? -1 : at);
    return found;
  };
  const before = places(old);
  const after = places(now);
  const pairs: [number, number][] = [];
  for (const [key, from] of before) {
    const to = after.get(key);
    if (from >= 0 && to !== undefined && to >= 0) pairs.push([from, to]);
  }
  // Longest increasing subsequence of `to`. `ends`: the smallest last element for each length.
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [index, [, to]] of pairs.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < to) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? (ends[low - 1] ?? -1) : -1;
    ends[low] = index;
  }
  const run: [number, number][] = [];
  for (let at = ends[ends.length - 1] ?? -1; at >= 0; at = previous[at] ?? -1)
    run.push(pairs[at] as [number, number]);
  return run.reverse();
}
