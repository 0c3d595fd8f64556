/**
 * Three-way merging of sequences (Khanna, Kunal, Pierce: A Formal Investigation of Diff3), with a bound of its work. Changes of both sides
 * that touch are one conflict. Common parts are longest common subsequences (Hunt, Szymanski: A fast algorithm for computing longest common
 * subsequences), whose work grows with the pairs of equal items: some 50 ms for a million.
 */

/** Pairs of equal items that may still be looked at, for all parts of a merge. */
export interface MergeBudget {
  pairs: number;
}

/** Items that are settled, or those of both sides (`a`, `b`) that differ from the base (`o`) and from each other. */
export interface MergedRegion {
  ok?: string[];
  conflict?: { a: string[]; o: string[]; b: string[] };
}

type Items = readonly string[];

/** The merged sequence in regions. Undefined if the budget does not suffice. */
export function merge3(a: Items, o: Items, b: Items, budget: MergeBudget): MergedRegion[] | undefined {
  budget.pairs -= pairsOf(o, a) + pairsOf(o, b);
  if (budget.pairs < 0) return undefined;
  const hunks = [...hunksOf(o, a, 'a'), ...hunksOf(o, b, 'b')].sort((x, y) => x.start - y.start);
  const regions: MergedRegion[] = [];
  const settle = (items: Items) => {
    if (items.length === 0) return;
    const last = regions.at(-1)?.ok;
    if (last) for (const item of items) last.push(item);
    else regions.push({ ok: [...items] });
  };
  let done = 0;
  for (let n = 0; n < hunks.length; ) {
    const { start } = hunks[n] as Hunk;
    let end = start;
    const touching: Hunk[] = [];
    for (let next = hunks[n]; next && next.start <= end; next = hunks[++n]) {
      end = Math.max(end, next.end);
      touching.push(next);
    }
    settle(o.slice(done, start));
    done = end;
    const ofSide = (side: Hunk['side']) => touching.filter((hunk) => hunk.side === side);
    const [yours, theirs] = [sideOf(a, ofSide('a'), start, end), sideOf(b, ofSide('b'), start, end)];
    if (!yours || !theirs || isSame(yours, theirs)) settle(yours ?? theirs ?? []);
    else regions.push({ conflict: { a: yours, o: o.slice(start, end), b: theirs } });
  }
  settle(o.slice(done));
  return regions;
}

/** Items `start` to `end` of the base, and those in their place on one side, `sideStart` to `sideEnd`. */
interface Hunk {
  side: 'a' | 'b';
  start: number;
  end: number;
  sideStart: number;
  sideEnd: number;
}

/** Items of the side in place of this part of the base; undefined if the side left it as it is. */
function sideOf(items: Items, own: readonly Hunk[], start: number, end: number) {
  const [first, last] = [own[0], own.at(-1)];
  return (
    first && last && items.slice(first.sideStart - (first.start - start), last.sideEnd + (end - last.end))
  );
}

function isSame(a: Items, b: Items): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function hunksOf(o: Items, x: Items, side: Hunk['side']): Hunk[] {
  const hunks: Hunk[] = [];
  let [start, sideStart] = [0, 0];
  for (const [end, sideEnd] of [...commonOf(o, x), [o.length, x.length] as const]) {
    if (end > start || sideEnd > sideStart) hunks.push({ side, start, end, sideStart, sideEnd });
    [start, sideStart] = [end + 1, sideEnd + 1];
  }
  return hunks;
}

/** Positions of a longest common subsequence, in both sequences. */
function commonOf(o: Items, x: Items): [inO: number, inX: number][] {
  const places = new Map<string, number[]>();
  for (const [index, item] of o.entries()) {
    const known = places.get(item);
    if (known) known.push(index);
    else places.set(item, [index]);
  }
  // For each length, the first place in `o` where a common subsequence of it ends, and the pair with which it ends.
  const ends: number[] = [];
  const lastPairs: number[] = [];
  const pairs = { inO: [] as number[], inX: [] as number[], before: [] as number[] };
  for (const [inX, item] of x.entries()) {
    const found = places.get(item) ?? [];
    // Backwards, so that no pair follows another one of the same item.
    let length = ends.length;
    for (let n = found.length - 1; n >= 0; n--) {
      const inO = found[n] as number;
      if (length > 0 && inO <= (ends[length - 1] as number)) length = firstNotBelow(ends, inO, length - 1);
      // An earlier place that serves as well is better.
      const earlier = found[n - 1] ?? -1;
      if (ends[length] === inO || earlier > (length === 0 ? -1 : (ends[length - 1] as number))) continue;
      ends[length] = inO;
      lastPairs[length] = pairs.inO.length;
      pairs.inO.push(inO);
      pairs.inX.push(inX);
      pairs.before.push(length === 0 ? -1 : (lastPairs[length - 1] as number));
    }
  }
  const common: [number, number][] = [];
  for (let at = lastPairs.at(-1) ?? -1; at >= 0; at = pairs.before[at] as number)
    common.push([pairs.inO[at] as number, pairs.inX[at] as number]);
  return common.reverse();
}

/** Index of the first of the ascending numbers that is not below the value; they are among the first `most`, or all below. */
function firstNotBelow(numbers: readonly number[], value: number, most: number): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function pairsOf(o: Items, x: Items): number {
  const counts = new Map<string, number>();
  for (const item of o) counts.set(item, (counts.get(item) ?? 0) + 1);
  return x.reduce((sum, item) => sum + (counts.get(item) ?? 0), 0);
}
