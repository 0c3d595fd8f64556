/** Similarity of two names, from 0 to 1, for detecting misspellings. */

/**
 * Returns the better of two measures that complement each other: edit distance relative to the length (omitted, added, replaced
 * or swapped letters), and shared pairs of letters, which ignores the order of words. If one name contains the other, the
 * result is at least 0.5. Cost: the product of their lengths.
 */
export function likeness(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  const longest = Math.max(left.length, right.length);
  if (longest === 0) return 1;
  const edits = 1 - editsBetween(left, right) / longest;
  const shortest = Math.min(left.length, right.length);
  const isWithin = shortest >= 3 && (a.includes(b) || b.includes(a));
  return Math.max(edits, sharedPairs(left, right), isWithin ? 0.5 + shortest / longest / 2 : 0);
}

/** Optimal string alignment distance: insertions, deletions, substitutions, swaps of neighbours (Damerau 1964). */
export function editsBetween(a: string[], b: string[]): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (beforeLast[j - 2] ?? 0) + 1);
      row.push(least);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}

/** Shared pairs relative to all pairs (Dice 1945). */
function sharedPairs(a: string[], b: string[]): number {
  const [pairsA, pairsB] = [pairsOf(a), pairsOf(b)];
  const shared = [...pairsA].filter((pair) => pairsB.has(pair)).length;
  return (2 * shared) / Math.max(1, pairsA.size + pairsB.size);
}

function pairsOf(characters: string[]): Set<string> {
  return new Set(characters.slice(1).map((character, index) => `${characters[index]}${character}`));
}
