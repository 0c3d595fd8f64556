import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFolder, textOf } from './file-tree.ts';

test('decomposed names of macOS are composed, and of two names that differ only in that both are kept', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'coppice-test-'));
  try {
    await writeFile(join(folder, 'u\u0308bung.md'), 'one');
    await writeFile(join(folder, 'a\u0308.md'), 'two');
    await writeFile(join(folder, '\u00e4.md'), 'three');
    await using tree = await openFolder(folder);
    expect([...tree.paths].sort()).toEqual(['a\u0308.md', '\u00e4.md', '\u00fcbung.md']);
    const texts = await Promise.all(tree.paths.map((path) => textOf(tree, path)));
    expect(texts.sort()).toEqual(['one', 'three', 'two']);
    expect(await textOf(tree, '\u00fcbung.md')).toBe('one');
    expect(await textOf(tree, '\u00e4.md')).toBe('three');
  } finally {
    await rm(folder, { recursive: true });
  }
});
