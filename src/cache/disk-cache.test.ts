/** Values evicted from memory are found on disk, and only the latest ones. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openScratch } from '#files/spill-file.ts';
import { ScratchCache } from './disk-cache.ts';

function freshScratch(maxBytes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'coppice-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const scratch = openScratch(folder, maxBytes);
  onTestFinished(() => scratch[Symbol.dispose]());
  return scratch;
}

test('what does not fit into memory is found all the same, as it was set last', () => {
  const cache = new ScratchCache<{ words: string[] }>(80, freshScratch(100_000));
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 100; i++) cache.set(`${i}`, { words: ['wörds', `${i} ${round}`] }, 10);
    for (let i = 0; i < 100; i += 7) expect(cache.get(`${i}`)).toEqual({ words: ['wörds', `${i} ${round}`] });
  }
});

test('without scratch room only what fits into memory is found', () => {
  const cache = new ScratchCache<number>(80);
  for (let i = 0; i < 100; i++) cache.set(`${i}`, i, 10);
  expect([cache.get('91'), cache.get('92'), cache.get('99')]).toEqual([undefined, 92, 99]);
});

test('what has lost its place in the scratch room is not found, and can be set again', () => {
  const cache = new ScratchCache<string>(80, freshScratch(1000));
  for (let i = 0; i < 100; i++) cache.set(`${i}`, `${i}`.padEnd(50), 10);
  expect(cache.get('0')).toBeUndefined();
  cache.set('0', 'again', 10);
  expect(cache.get('0')).toBe('again');
});
