/**
 * Conflicts in a merged text: both sides stand between the conflict marks of RCS merge, which editors know, each on a line of
 * its own.
 *
 *     <<<<<<< yours
 *     An oak of 500 years.
 *     =======
 *     An oak of 450 years.
 *     >>>>>>> theirs
 */
export const conflictMarks = { start: '<<<<<<< yours', middle: '=======', end: '>>>>>>> theirs' } as const;

/** Offsets of the marks in the text, and the lines of both sides. */
export interface MarkedConflict {
  from: number;
  to: number;
  yours: string;
  theirs: string;
}

/** Both versions of a conflict between the marks that the editor knows. */
export function withMarks(yours: string[], theirs: string[]): string {
  const { start, middle, end } = conflictMarks;
  return `${start}\n${yours.join('\n')}\n${middle}\n${theirs.join('\n')}\n${end}`;
}

/** Returns the conflicts of a text with `\n` line ends, in order. Incomplete marks are text. */
export function markedConflicts(text: string): MarkedConflict[] {
  const { start, middle, end } = conflictMarks;
  if (!text.includes(start)) return [];
  const found: MarkedConflict[] = [];
  let from = 0;
  let at = 0;
  let side: 'none' | 'yours' | 'theirs' = 'none';
  let yours: string[] = [];
  let theirs: string[] = [];
  for (const line of text.split('\n')) {
    if (line === start) {
      [from, side, yours, theirs] = [at, 'yours', [], []];
    } else if (side === 'yours' && line === middle) side = 'theirs';
    else if (side === 'theirs' && line === end) {
      found.push({ from, to: at + line.length, yours: yours.join('\n'), theirs: theirs.join('\n') });
      side = 'none';
    } else if (side === 'yours') yours.push(line);
    else if (side === 'theirs') theirs.push(line);
    at += line.length + 1;
  }
  return found;
}

/** Sides of a conflict to keep; `both`: yours first. */
export type ConflictChoice = 'yours' | 'theirs' | 'both';

export const conflictChoices: readonly ConflictChoice[] = ['yours', 'theirs', 'both'];

type Sides = Pick<MarkedConflict, 'yours' | 'theirs'>;

/** Text of a conflict after the choice; for both versions, yours comes first. */
export function chosenText({ yours, theirs }: Sides, choice: ConflictChoice): string {
  if (choice === 'yours') return yours;
  if (choice === 'theirs') return theirs;
  return [yours, theirs].filter((part) => part !== '').join('\n');
}

/** A text after choices, and where the chosen sides stand in it, in the order of the conflicts that were solved. */
interface Solved {
  text: string;
  places: { from: number; to: number }[];
}

/** Puts the chosen side in the place of each conflict for which there is a choice; the marks of others stay. */
export function solveConflicts(
  text: string,
  choose: (conflict: MarkedConflict) => ConflictChoice | undefined,
): Solved {
  const places: Solved['places'] = [];
  let result = '';
  let from = 0;
  for (const conflict of markedConflicts(text)) {
    const choice = choose(conflict);
    if (choice === undefined) continue;
    const kept = chosenText(conflict, choice);
    result += text.slice(from, conflict.from);
    places.push({ from: result.length, to: result.length + kept.length });
    result += kept;
    // A side without lines is removed together with its line end.
    from = kept === '' ? conflict.to + 1 : conflict.to;
  }
  return { text: result + text.slice(from), places };
}

/** The text with your side of every conflict, as the preview shows it. */
export function yourSide(text: string): string {
  return solveConflicts(text, () => 'yours').text;
}

/** Identifies a conflict by its sides (FNV-1a, twice 32 bits): the same after other places of the text were edited. */
export function conflictKey({ yours, theirs }: Sides): string {
  const hash = (text: string, start: number) => {
    let value = start;
    for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
    return (value >>> 0).toString(16).padStart(8, '0');
  };
  const both = `${yours}\0${theirs}`;
  return hash(both, 0x811c9dc5) + hash(both, 0x2f0b4c47);
}
