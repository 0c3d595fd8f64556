/** Contract that every file store meets, wherever it keeps the bytes. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileStore, FoundBlob } from '#core/ports/file-store.ts';
import { startStorage } from '#test/support/s3.ts';
import { openDisk } from './disk.ts';
import { openS3 } from './s3.ts';

type Opened = { store: FileStore; folder: string; close(): Promise<void> };

async function onDisk(): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'coppice-files-'));
  return {
    store: await openDisk(folder),
    folder: join(folder, 'tmp'),
    close: () => rm(folder, { recursive: true }),
  };
}

async function inBucket(): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'coppice-files-'));
  const storage = await startStorage();
  return {
    store: await openS3(storage.settings, folder),
    folder,
    async close() {
      await storage[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

describe.each([
  ['the disk', onDisk],
  ['a bucket', inBucket],
] as const)('%s', (_, open) => {
  let opened: Opened;
  let store: FileStore;
  beforeAll(async () => {
    opened = await open();
    store = opened.store;
  });
  afterAll(() => opened.close());

  const limit = 100_000_000;
  const bytesOf = async (hash: string, range?: { start: number; end: number }) =>
    buffer((await store.open(hash, range)) ?? Readable.from([]));
  const listed = async () => {
    const found: FoundBlob[] = [];
    for await (const one of store.list()) found.push(one);
    return found;
  };
  /** Temporary files that remain. */
  const left = () => readdir(opened.folder);

  test('returns stored bytes by their hash, whole and in ranges', async () => {
    const bytes = Buffer.from('a leaf');
    const blob = await store.put(bytes, limit);
    expect(blob.hash).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(blob.md5).toBe(createHash('md5').update(bytes).digest('hex'));
    expect(await bytesOf(blob.hash)).toEqual(bytes);
    expect((await bytesOf(blob.hash, { start: 2, end: 3 })).toString()).toBe('le');
    expect((await bytesOf(blob.hash, { start: 0, end: 0 })).toString()).toBe('a');
    expect((await bytesOf(blob.hash, { start: 5, end: 5 })).toString()).toBe('f');
    expect(await store.find(blob.hash)).toMatchObject({ hash: blob.hash, sizeBytes: 6 });
  });

  test('accepts an empty file', async () => {
    const { hash } = await store.put(new Uint8Array(), 0);
    expect(await store.find(hash)).toMatchObject({ sizeBytes: 0 });
    expect(await bytesOf(hash)).toHaveLength(0);
  });

  test('stores a large file completely, readable from anywhere', async () => {
    const chunks = Array.from({ length: 30 }, () => randomBytes(1_000_003));
    const whole = Buffer.concat(chunks);
    const { hash, sizeBytes } = await store.put(
      (async function* () {
        yield* chunks;
      })(),
      limit,
    );
    expect(sizeBytes).toBe(whole.length);
    expect(hash).toBe(createHash('sha256').update(whole).digest('hex'));
    expect((await bytesOf(hash)).equals(whole)).toBe(true);
    // A range across the border between two parts of an upload.
    const range = { start: 5 * 1024 * 1024 - 10, end: 5 * 1024 * 1024 + 9 };
    expect(await bytesOf(hash, range)).toEqual(whole.subarray(range.start, range.end + 1));
    expect(await left()).toEqual([]);
  });

  test('removes uploads that are too large or break off', async () => {
    const before = (await listed()).length;
    async function* chunks(count: number, fails = false) {
      for (let i = 0; i < count; i++) yield Buffer.alloc(1000, i);
      if (fails) throw new Error('the client went away');
    }
    await expect(store.put(chunks(11), 10_000)).rejects.toMatchObject({ code: 'too-large' });
    await expect(store.put(chunks(3, true), 10_000)).rejects.toThrow('went away');
    expect(await left()).toEqual([]);
    expect(await listed()).toHaveLength(before);
    expect((await store.put(chunks(10), 10_000)).sizeBytes).toBe(10_000);
  });

  test('stores the same bytes once, however many upload them concurrently', async () => {
    const bytes = Buffer.from('many hands');
    const blobs = await Promise.all(Array.from({ length: 20 }, () => store.put(bytes, limit)));
    expect(new Set(blobs.map(({ hash }) => hash)).size).toBe(1);
    expect((await listed()).filter(({ hash }) => hash === blobs[0]?.hash)).toHaveLength(1);
    expect((await bytesOf(blobs[0]?.hash ?? '')).toString()).toBe('many hands');
    expect(await left()).toEqual([]);
  });

  test('lists stored files with size and time', async () => {
    const { hash } = await store.put(Buffer.from('listed'), limit);
    const found = (await listed()).find((one) => one.hash === hash);
    expect(found?.sizeBytes).toBe(6);
    // Storages return whole seconds, some by a clock of their own.
    expect(Math.abs(Date.now() - (found?.storedAt ?? 0))).toBeLessThan(60_000);
    expect(await store.find(hash)).toMatchObject({ hash, sizeBytes: 6 });
  });

  test('accepts only hashes as names', async () => {
    for (const name of [
      '',
      '..',
      '../../etc/passwd',
      '/etc/passwd',
      'tmp',
      'a'.repeat(63),
      `${'a'.repeat(64)}/..`,
      'A'.repeat(64),
      `${'a'.repeat(63)}?`,
    ]) {
      expect(await store.open(name)).toBeUndefined();
      expect(await store.find(name)).toBeUndefined();
      expect(await store.remove(name)).toBe(false);
    }
    expect(await store.open('0'.repeat(64))).toBeUndefined();
    expect(await store.find('0'.repeat(64))).toBeUndefined();
  });

  test('forgets removed files', async () => {
    const { hash } = await store.put(Buffer.from('gone'), limit);
    expect(await store.remove(hash, Date.now() - 60_000)).toBe(false);
    expect(await store.find(hash)).toBeDefined();
    expect(await store.remove(hash)).toBe(true);
    expect(await store.remove(hash)).toBe(false);
    expect(await store.open(hash)).toBeUndefined();
    expect(await store.find(hash)).toBeUndefined();
    expect((await listed()).map((one) => one.hash)).not.toContain(hash);
  });

  test('survives a reader that stops early', async () => {
    const { hash } = await store.put(Buffer.alloc(3_000_000, 'x'), limit);
    for (let time = 0; time < 3; time++) {
      for await (const chunk of (await store.open(hash)) ?? []) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
    }
    expect(await bytesOf(hash)).toHaveLength(3_000_000);
  });
});
