/** Values evicted from memory are found on disk, in their latest version. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSpillFile } from '#files/spill-file.ts';
import { DiskCache } from './disk-cache.ts';

function freshSpillFile(maxBytes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'coppice-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const spillFile = openSpillFile(folder, maxBytes);
  onTestFinished(() => spillFile[Symbol.dispose]());
  return spillFile;
}

test('entries that do not fit into memory are found with their last value', () => {
  const cache = new DiskCache<{ words: string[] }>(80, freshSpillFile(100_000));
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 100; i++) cache.set(`${i}`, { words: ['wörds', `${i} ${round}`] }, 10);
    for (let i = 0; i < 100; i += 7) expect(cache.get(`${i}`)).toEqual({ words: ['wörds', `${i} ${round}`] });
  }
});

test('without the spill file only entries in memory are found', () => {
  const cache = new DiskCache<number>(80);
  for (let i = 0; i < 100; i++) cache.set(`${i}`, i, 10);
  expect([cache.get('91'), cache.get('92'), cache.get('99')]).toEqual([undefined, 92, 99]);
});

test('an entry evicted from the spill file is not found, and can be set again', () => {
  const cache = new DiskCache<string>(80, freshSpillFile(1000));
  for (let i = 0; i < 100; i++) cache.set(`${i}`, `${i}`.padEnd(50), 10);
  expect(cache.get('0')).toBeUndefined();
  cache.set('0', 'again', 10);
  expect(cache.get('0')).toBe('again');
});
