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

/**
 * Texts for which only one of both finds a conflict, by merge and file, and why ours is right to. Git compares whole lines, and takes
 * changes of neighbouring lines for one.
 */
const explained: Record<string, string> = {
  '82000f65c198 bip-0008.mediawiki':
    'Merged: in one long line, one side changed “eventual”, the other removed words in parentheses further on.',
  '942ef07e72ff README.mediawiki':
    'Merged: one side changed the status of a row, the other the colour in the line below.',
  'e2c91c81cc67 bip-0079.mediawiki':
    'Merged: in one long line, one side changed “receiver”, the other “resign” and “propagates”.',
  'ab90b5289f03 README.mediawiki':
    'Merged: in six rows, one side changed the status, the other the colour in the line below.',
  'ab90b5289f03 bip-0032.mediawiki':
    'Merged: one side added an address to the line of the author, the other changed the line of the status.',
  '073762271328 bip-0119.mediawiki':
    'Conflict: both sides inserted a paragraph at the same place. Git moves one of them past an equal blank line, which decides their order by chance.',
  '4c045c8801fd README.mediawiki':
    'Conflict: both sides inserted rows at the same place of a table. Git moves some past the equal line between rows, which decides their order by chance.',
};

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
    const byOneOnly: string[] = [];
    for (const { merge, files } of merges)
      for (const { file, base, ours, theirs } of files) {
        if ([base, ours, theirs].some((text) => typeof text !== 'string')) continue;
        if (ours === base || theirs === base || ours === theirs) continue;
        const git = mergedByGit(folder, ours, base, theirs);
        const merged = mergeBodies(ours, base, theirs);
        if (merged === git) counts[git === undefined ? 'bothConflict' : 'equal']++;
        else if (git === undefined || merged === undefined) {
          counts[git === undefined ? 'onlyGitConflicts' : 'onlyOursConflicts']++;
          byOneOnly.push(`${merge} ${file}`);
        } else different.push(`${merge} ${file}`);
      }
    console.info(counts);
    expect(different).toEqual([]);
    expect(byOneOnly.sort()).toEqual(Object.keys(explained).sort());
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
