/** The JSON of a page is made once for all lists that show it, however long its history. */
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSpillFile } from '#files/spill-file.ts';
import { openStore } from '#run/open-store.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { addPage, withMembers } from '#test/support/write-pages.ts';
import { pageJson } from '../page-json.ts';
import { CachedBodies, jsonArray } from './bodies.ts';
import { PageJsonCache } from './page-json-cache.ts';

const folder = await temporaryFolder();
const queries: string[] = [];
const store = await openStore(
  { kind: 'sqlite', file: join(folder, 'coppice.db') },
  { onQuery: ({ sql }) => void queries.push(sql) },
);
afterAll(() => store[Symbol.asyncDispose]());
await withMembers(store);
const lengths = [10, 40_000, 900_000, 1_100_000];
const ids: number[] = [];
for (const length of lengths)
  ids.push(await addPage(store, { path: `/page-${length}`, body: 'ä'.repeat(length / 2) }));

const cacheOn = (spilled?: string) =>
  new PageJsonCache(store, new CachedBodies(spilled ? openSpillFile(spilled, 100_000_000) : undefined), '');

test.each([
  ['with a disk', folder],
  ['without a disk', undefined],
])('%s', async (_, spilled) => {
  const texts = cacheOn(spilled);
  const list = async (some: number[]) => {
    const made = await texts.of(store.readAs(null), some, 'all', await store.revision());
    return jsonArray(
      made.map(({ json, permissions }) => [json, Buffer.from(`,"permissions":${permissions}}`)]),
    );
  };
  const expected = async (some: number[]) => {
    const pages = await store.readAs(null).pages.load(some, 'all');
    return JSON.stringify(pages.map((page) => pageJson(page, { baseUrl: '', language: 'en' })));
  };
  const kept = ids.slice(0, spilled ? 3 : 2);
  for (const some of [ids, kept, kept.toReversed()]) {
    const due = await expected(some);
    queries.length = 0;
    expect(`${await list(some)}`).toBe(due);
    expect(queries.length > 0, `${some.length} pages`).toBe(some === ids);
  }
});
