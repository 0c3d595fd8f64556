/** Compressed responses for clients that accept them. */
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { openSpillFile } from '#files/spill-file.ts';
import { openStore } from '#run/open-store.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { CachedBodies, longestInMemory } from './bodies.ts';
import { representationOf } from './encodings.ts';
import { type CachedResponse, CachedResponses } from './entries.ts';

const folder = await temporaryFolder();
const store = await openStore({ kind: 'sqlite', file: join(folder, 'coppice.db') });
afterAll(() => store[Symbol.asyncDispose]());
const bodies = new CachedBodies(openSpillFile(folder, 200_000_000));
const cache = new CachedResponses({ store, clock: Date.now }, bodies);

function keep(key: string, length: number): CachedResponse {
  const type = 'text/plain';
  const answer: CachedResponse = {
    revision: '1',
    dependencies: [],
    expiresAt: Number.POSITIVE_INFINITY,
    freshAt: 0,
    route: '/',
    sharedWith: 0,
    headers: [],
    ownHeaders: [],
    ownAlways: [],
    unchangedHeaders: [],
    tag: `"${key}"`,
    type,
    representations: { identity: representationOf({ tag: `"${key}"`, type }, length, 'identity') },
  };
  cache.set(key, false, answer, Buffer.alloc(length, key));
  return answer;
}

test('concurrent requests wait for the same compression', async () => {
  const answer = keep('a', 100_000);
  const [first, second, zipped] = await Promise.all([
    cache.representationOf(answer, 'br'),
    cache.representationOf(answer, 'br'),
    cache.representationOf(answer, 'gzip'),
  ]);
  expect(first).toBe(second);
  expect(zipped?.encoding).toBe('gzip');
  expect(cache.representationOf(answer, 'br')).toBe(first);
  const body = first && cache.bodyOf(first);
  expect(brotliDecompressSync(body as Buffer).equals(Buffer.alloc(100_000, 'a'))).toBe(true);
});

test('two long responses are compressed at a time, and others are not read before', async () => {
  const long = ['b', 'c', 'd'].map((key) => keep(key, longestInMemory + 1));
  const packed = long.map((answer) => cache.representationOf(answer, 'br'));
  // A body may disappear while it is being read.
  for (const { representations } of long) representations.identity.place = undefined;
  expect((await Promise.all(packed)).map((representation) => representation?.encoding)).toEqual([
    'br',
    'br',
    undefined,
  ]);
});

test('a response that no longer exists is not compressed, and the next request does not wait for it', async () => {
  const answer = keep('e', longestInMemory + 1);
  const { place } = answer.representations.identity;
  answer.representations.identity.place = undefined;
  expect(await cache.representationOf(answer, 'br')).toBeUndefined();
  answer.representations.identity.place = place;
  expect(await cache.representationOf(answer, 'br')).toMatchObject({ tag: '"e-br"' });
});
