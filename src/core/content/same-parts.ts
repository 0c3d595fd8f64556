/**
 * Parts that two texts have in common: common beginnings and endings are set aside, then lines are compared, and words within lines
 * that differ.
 */
import { diffArrays } from 'diff';

/** Equal parts of two texts: `length` characters from `a` in the first and from `b` in the second. */
export interface Same {
  a: number;
  b: number;
  length: number;
}

/** Differences beyond which lines, and words of a changed part, count as replaced. The time grows with their square. */
const maxLineEdits = 2000;
const maxWordEdits = 1500;

/** Work that is left for several steps together, in tenths of a microsecond or so. */
export interface Budget {
  left: number;
}

/** Parts of the second text that equal parts of the first, in order. Beyond the budget, lines and words that differ count as replaced. */
export function sameParts(before: string, after: string, budget: Budget): Same[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  const found: Same[] = [];
  for (const run of runsOf(a, b, maxLineEdits, budget)) {
    if (run.isSame) found.push({ a: run.a, b: run.b, length: run.aLength });
    else if (run.aLength > 0 && run.bLength > 0) {
      const words = (text: string, start: number, length: number) =>
        wordsOf(text.slice(start, start + length));
      const [own, others] = [words(before, run.a, run.aLength), words(after, run.b, run.bLength)];
      for (const part of runsOf(own, others, maxWordEdits, budget))
        if (part.isSame) found.push({ a: run.a + part.a, b: run.b + part.b, length: part.aLength });
    }
  }
  return found;
}

interface Run {
  isSame: boolean;
  a: number;
  aLength: number;
  b: number;
  bLength: number;
}

/** Alternating equal and different runs of items, with positions and lengths in characters. */
function runsOf(a: readonly string[], b: readonly string[], maxEdits: number, budget: Budget): Run[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [middleOfA, middleOfB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const maxEditLength = Math.min(maxEdits, Math.floor(Math.sqrt(Math.max(0, budget.left))));
  const compared = diffArrays(middleOfA, middleOfB, { maxEditLength });
  const edits = compared?.reduce((sum, { added, removed, count }) => sum + (added || removed ? count : 0), 0);
  budget.left -= (edits ?? maxEditLength) ** 2;
  const parts = compared ?? [
    { added: false, removed: true, value: middleOfA },
    { added: true, removed: false, value: middleOfB },
  ];
  const runs: Run[] = [];
  const at = { a: 0, b: 0 };
  const add = (isSame: boolean, aLength: number, bLength: number) => {
    if (aLength + bLength === 0) return;
    const last = runs.at(-1);
    if (last?.isSame === isSame) {
      last.aLength += aLength;
      last.bLength += bLength;
    } else runs.push({ isSame, a: at.a, aLength, b: at.b, bLength });
    at.a += aLength;
    at.b += bLength;
  };
  const lengthOf = (items: readonly string[]) => items.reduce((sum, item) => sum + item.length, 0);
  const head = lengthOf(a.slice(0, start));
  add(true, head, head);
  for (const { added, removed, value } of parts) {
    const length = lengthOf(value);
    add(!added && !removed, added ? 0 : length, removed ? 0 : length);
  }
  const tail = lengthOf(a.slice(a.length - end));
  add(true, tail, tail);
  return runs;
}

/** Lines with their line ends. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Words, and single characters between them. */
function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}\p{M}]+|\s+|[^\p{L}\p{N}\p{M}\s]/gu) ?? [];
}
