/**
 * Three-way merging of bodies by lines (Khanna, Kunal, Pierce: A Formal Investigation of Diff3). What both sides changed
 * alike is no conflict.
 */
import { diff3Merge } from 'node-diff3';

/** Past this many lines in the largest body, finding the common ones could take seconds: all of it counts as one conflict. */
const maxLines = 20_000;

/** The merged text, or undefined if both sides changed the same lines. */
export function mergeBodies(yours: string, base: string, theirs: string): string | undefined {
  if (yours === theirs || base === theirs) return yours;
  if (yours === base) return theirs;
  const { text, conflicts } = mergeWithMarks(yours, base, theirs);
  return conflicts > 0 ? undefined : text;
}

/** Conflicts stand in the text between the marks of RCS merge, which editors know: `<<<<<<< yours`, `=======`, `>>>>>>> theirs`. */
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
