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

/** The text with your side of every conflict, as the preview shows it. */
export function yourSide(text: string): string {
  let result = '';
  let from = 0;
  for (const conflict of markedConflicts(text)) {
    result += text.slice(from, conflict.from) + conflict.yours;
    // A side without lines is removed together with its line end.
    from = conflict.yours === '' ? conflict.to + 1 : conflict.to;
  }
  return result + text.slice(from);
}
