/** What whole-wiki tests share: a fresh store on each engine, parts that a test does not look at. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Files } from '#domain/attach-files.ts';
import type { Store } from '#domain/store.ts';
import { openStore } from '#store/store.ts';

/** Name and how to open an empty store of that engine; disposing of the store removes its database. */
export const engines: [name: string, open: () => Promise<Store>][] = [['SQLite', openTemporarySqlite]];

async function openTemporarySqlite(): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'coppice-'));
  const store = await openStore({ kind: 'sqlite', file: join(folder, 'coppice.db') });
  return {
    ...store,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

/** For tests that upload nothing: using it is a mistake of the test. */
export const noFiles = new Proxy({} as Files, {
  get() {
    throw new Error('This test has no files.');
  },
});

/** Name and how to get an empty database of that engine, as the settings name it. */
export const databases: [
  name: string,
  open: () => Promise<{ env: Record<string, string>; release: () => Promise<void> }>,
][] = [['SQLite', async () => ({ env: {}, release: async () => {} })]];
