import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { zipOf } from '#test/support/zip.ts';
import { openFolder, openZip, textOf } from './file-tree.ts';

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

test('of two files of one name in an archive, the first is read and the other named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'coppice-test-'));
  try {
    const zip = join(folder, 'a.zip');
    const files = ['one', 'two'].map((content) => ({ name: 'a.md', content }));
    await writeFile(zip, zipOf(files));
    await using tree = await openZip(zip);
    expect(await textOf(tree, 'a.md')).toBe('one');
    const why = 'it is in the source twice; only the first is imported';
    expect(tree.leftOut).toEqual([{ source: 'a.md', why }]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
