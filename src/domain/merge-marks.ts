/** One text of two that touch: what can be merged is, and where both changed the same, both stand there between marks. */
import { diff3Merge } from 'node-diff3';

const maxLines = 20_000;

/** Marks are those of RCS merge, which editors know: `<<<<<<< yours`, `=======`, `>>>>>>> theirs`. */
export function mergeWithMarks(
  yours: string,
  base: string,
  theirs: string,
): { text: string; conflicts: number } {
  const [a, o, b] = [yours.split('\n'), base.split('\n'), theirs.split('\n')];
  if (Math.max(a.length, o.length, b.length) > maxLines) {
    return { text: marked(yours, theirs), conflicts: 1 };
  }
  let conflicts = 0;
  const parts = diff3Merge(a, o, b, { excludeFalseConflicts: true }).map((region) => {
    if (region.ok) return region.ok.join('\n');
    conflicts++;
    return marked(region.conflict?.a.join('\n') ?? '', region.conflict?.b.join('\n') ?? '');
  });
  return { text: parts.join('\n'), conflicts };
}

function marked(yours: string, theirs: string): string {
  return `<<<<<<< yours\n${yours}\n=======\n${theirs}\n>>>>>>> theirs`;
}
