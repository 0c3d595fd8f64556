/** State of the disk after failures. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { openDisk } from './disk.ts';

async function hashesIn(folder: string): Promise<string[]> {
  const hashes: string[] = [];
  for await (const { hash } of (await openDisk(folder)).list()) hashes.push(hash);
  return hashes;
}

test('a process killed during a put leaves no file under a hash, and its leftovers are swept when they are old', async () => {
  const folder = await temporaryFolder();
  const disk = fileURLToPath(new URL('./disk.ts', import.meta.url));
  const program = `
    const { openDisk } = await import(${JSON.stringify(disk)});
    const store = await openDisk(${JSON.stringify(folder)});
    await store.put((async function* () {
      yield Buffer.alloc(100_000);
      process.stdout.write('half');
      await new Promise((resolve) => setTimeout(resolve, 60_000));
    })(), 1e9);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await ended;

  expect(await hashesIn(folder)).toEqual([]);
  const [left] = await readdir(join(folder, 'tmp'));
  expect(left).toBeDefined();
  const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
  await utimes(join(folder, 'tmp', left ?? ''), longAgo, longAgo);
  await openDisk(folder);
  expect(await readdir(join(folder, 'tmp'))).toEqual([]);
});

test('opening does not remove files that another process is writing', async () => {
  const folder = await temporaryFolder();
  const store = await openDisk(folder);
  const { hash } = await store.put(
    (async function* () {
      yield Buffer.from('one ');
      await openDisk(folder);
      yield Buffer.from('two');
    })(),
    100,
  );
  expect((await buffer((await store.open(hash)) ?? Readable.from([]))).toString()).toBe('one two');
});

test('only the owner can access files and folders', async () => {
  const folder = join(await temporaryFolder(), 'files');
  const { hash } = await (await openDisk(folder)).put(Buffer.from('mine'), 100);
  const outer = join(folder, hash.slice(0, 2));
  for (const path of [folder, outer, join(outer, hash.slice(2, 4))]) {
    expect((await stat(path)).mode & 0o777).toBe(0o700);
  }
  expect((await stat(join(outer, hash.slice(2, 4), hash))).mode & 0o777).toBe(0o600);
});

test('storing existing bytes again counts as new, so that no sweep removes them', async () => {
  const folder = await temporaryFolder();
  const store = await openDisk(folder);
  const { hash } = await store.put(Buffer.from('again'), 100);
  const longAgo = new Date(0);
  await utimes(join(folder, hash.slice(0, 2), hash.slice(2, 4), hash), longAgo, longAgo);
  await store.put(Buffer.from('again'), 100);
  for await (const found of store.list()) expect(Date.now() - found.storedAt).toBeLessThan(60_000);
});

test('a stream of text is refused, because it has no size to limit', async () => {
  const folder = await temporaryFolder();
  const text = Readable.from(['x'.repeat(1000)], { encoding: 'utf8' });
  await expect((await openDisk(folder)).put(text, 10)).rejects.toThrow('not from text');
  expect(await readdir(join(folder, 'tmp'))).toEqual([]);
});

test('a source over the limit is closed at once, instead of being read to its end', async () => {
  let read = 0;
  let isClosed = false;
  const source = (async function* () {
    try {
      for (; ; read++) yield Buffer.alloc(1000);
    } finally {
      isClosed = true;
    }
  })();
  await expect((await openDisk(await temporaryFolder())).put(source, 5_000)).rejects.toMatchObject({
    code: 'too-large',
  });
  expect(read).toBeLessThan(10);
  expect(isClosed).toBe(true);
});

test('a reader of a file that is removed meanwhile can finish reading', async () => {
  const store = await openDisk(await temporaryFolder());
  const { hash } = await store.put(Buffer.alloc(1_000_000, 'x'), 1e7);
  const stream = await store.open(hash);
  await store.remove(hash);
  expect(await buffer(stream ?? Readable.from([]))).toHaveLength(1_000_000);
});
