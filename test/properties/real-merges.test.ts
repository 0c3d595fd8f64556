/**
 * Merges of real documents replayed: where neither side finds a conflict, the body that an edit or proposal merges to is the one that git
 * makes. Runs only where `COPPICE_CORPUS` is set, with the histories in a folder beside it.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { mergeBodies } from '#core/content/merge-bodies.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const corpus = process.env.COPPICE_CORPUS;

interface Merge {
  merge: string;
  files: { file: string; base: string; ours: string; theirs: string }[];
}

test.runIf(corpus)(
  'texts that both sides changed merge to what git makes of them, unless one of both finds a conflict',
  { timeout: 300_000 },
  async () => {
    const packed = readFileSync(join(corpus ?? '', '../history/merges.jsonl.gz'));
    const lines = gunzipSync(packed).toString().trim().split('\n');
    const merges = lines.map((line) => JSON.parse(line) as Merge);
    const folder = await temporaryFolder();
    const counts = { equal: 0, bothConflict: 0, onlyGitConflicts: 0, onlyOursConflicts: 0 };
    const different: string[] = [];
    for (const { merge, files } of merges)
      for (const { file, base, ours, theirs } of files) {
        if ([base, ours, theirs].some((text) => typeof text !== 'string')) continue;
        if (ours === base || theirs === base || ours === theirs) continue;
        const git = mergedByGit(folder, ours, base, theirs);
        const merged = mergeBodies(ours, base, theirs);
        if (merged === git) counts[git === undefined ? 'bothConflict' : 'equal']++;
        else if (git === undefined) counts.onlyGitConflicts++;
        else if (merged === undefined) counts.onlyOursConflicts++;
        else different.push(`${merge} ${file}`);
      }
    console.info(counts);
    expect(different).toEqual([]);
    // Both align equal lines differently in a few texts, so that a change lies inside another one for one of them.
    const alike = counts.equal + counts.bothConflict;
    expect(alike / (alike + counts.onlyGitConflicts + counts.onlyOursConflicts)).toBeGreaterThan(0.96);
  },
);

/** Undefined if it finds a conflict. */
function mergedByGit(folder: string, ours: string, base: string, theirs: string): string | undefined {
  const sides = { ours, base, theirs };
  const files = Object.entries(sides).map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  });
  try {
    return execFileSync('git', ['merge-file', '-p', '--quiet', ...files], { maxBuffer: 1e9 }).toString();
  } catch {
    return undefined;
  }
}
