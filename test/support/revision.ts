/** Checks that the database was not written. */
import { expect } from 'vitest';
import type { Store } from '#core/ports/store.ts';
import type { EngineName } from './postgres.ts';

/**
 * Expects that `work` writes nothing. On SQLite `work` runs once. On PostgreSQL it is retried, because other tests on the same
 * server change the revision, too.
 */
export async function expectNoWrite(
  engine: EngineName,
  store: Store,
  work: () => Promise<unknown>,
): Promise<void> {
  const isUnwritten = async () => {
    const before = await store.revision();
    await work();
    return (await store.revision()) === before;
  };
  if (engine === 'SQLite') expect(await isUnwritten()).toBe(true);
  else await expect.poll(isUnwritten, { interval: 10 }).toBe(true);
}
