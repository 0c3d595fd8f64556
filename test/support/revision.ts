/** Checks that the database was not written. */
import { expect } from 'vitest';
import type { Store } from '#domain/ports/store.ts';

/**
 * Expects that `work` writes nothing. Retries, because on PostgreSQL other tests on the same server change the revision, too.
 */
export async function expectNoWrite(store: Store, work: () => Promise<unknown>): Promise<void> {
  const isUnwritten = async () => {
    const before = await store.revision();
    await work();
    return (await store.revision()) === before;
  };
  await expect.poll(isUnwritten, { timeout: 20_000, interval: 10 }).toBe(true);
}
