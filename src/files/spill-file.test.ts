/** A spill file returns stored bytes unchanged, and reports bytes that are no longer there. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Extent, SpillFile } from '#cache/spill-file.ts';
import { openSpillFile } from './spill-file.ts';

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'coppice-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function readBack(spillFile: SpillFile, place: Extent | undefined): string | undefined {
  if (!place) return undefined;
  const into = Buffer.alloc(place.length + 1, '!');
  return spillFile.read(place, into) ? into.toString() : undefined;
}

test('stored data is read unchanged, and the oldest is evicted for the newest', () => {
  using spillFile = openSpillFile(freshFolder(), 1000);
  const put: { text: string; place: Extent | undefined }[] = [];
  for (let i = 0; i < 200; i++) {
    const text = `${i} `.padEnd(20 + ((i * 37) % 100), 'é');
    put.push({ text, place: spillFile.put(Buffer.from(text).subarray(0, 125)) });
    const there = put.map(({ text, place }) => {
      const expected = `${Buffer.from(text).subarray(0, 125)}!`;
      const found = readBack(spillFile, place);
      if (found !== undefined) expect(found).toBe(expected);
      return found !== undefined;
    });
    expect(there.at(-1)).toBe(true);
    // Everything older than a missing entry is missing too.
    expect(there.lastIndexOf(false)).toBe(there.indexOf(true) - 1);
  }
  expect(readBack(spillFile, put[0]?.place)).toBeUndefined();
});

test('data that would take too much of the space is not stored', () => {
  using spillFile = openSpillFile(freshFolder(), 1000);
  expect(spillFile.put(Buffer.alloc(126))).toBeUndefined();
  expect(spillFile.put(Buffer.alloc(125))).toBeDefined();
});

test('the file has no name, so nothing is left however the process ends, and nobody can remove it', () => {
  const folder = join(freshFolder(), 'cache');
  using spillFile = openSpillFile(folder, 1000);
  const place = spillFile.put(Buffer.from('text'));
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
  expect(readBack(spillFile, place)).toBe('text!');
});

test('two processes share a folder and nothing else', () => {
  const folder = freshFolder();
  using one = openSpillFile(folder, 1000);
  using other = openSpillFile(folder, 1000);
  const places = [one.put(Buffer.from('one')), other.put(Buffer.from('two'))];
  expect([readBack(one, places[0]), readBack(other, places[1])]).toEqual(['one!', 'two!']);
});

test('after it is closed it accepts nothing and contains nothing', () => {
  const spillFile = openSpillFile(freshFolder(), 1000);
  const place = spillFile.put(Buffer.from('text'));
  spillFile[Symbol.dispose]();
  expect(readBack(spillFile, place)).toBeUndefined();
  expect(spillFile.put(Buffer.from('text'))).toBeUndefined();
});

test('on a full disk the space is freed, and reads find nothing', () => {
  // The system lets this process write files of at most 51,200 bytes.
  const script = `
    import { openSpillFile } from ${JSON.stringify(join(import.meta.dirname, 'spill-file.ts'))};
    process.on('SIGXFSZ', () => {});
    const spillFile = openSpillFile(${JSON.stringify(freshFolder())}, 1_000_000);
    const bytes = Buffer.alloc(10_000, 'x');
    const places = Array.from({ length: 8 }, () => spillFile.put(bytes));
    const later = Array.from({ length: 20_000 }, () => spillFile.put(bytes.subarray(0, 2)));
    const isThere = (place) => place !== undefined && spillFile.read(place, bytes);
    console.log(JSON.stringify([places.map(isThere), later.slice(0, 9_000).some(isThere), isThere(later.at(-1))]));`;
  const printed = execFileSync(
    'sh',
    ['-c', 'ulimit -f 100; exec "$@"', 'sh', process.execPath, '--input-type=module', '--eval', script],
    { encoding: 'utf8' },
  );
  expect(JSON.parse(printed)).toEqual([Array(8).fill(false), false, true]);
});
