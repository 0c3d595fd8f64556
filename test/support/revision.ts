/** Whether the database was written, for tests. */
import { expect } from 'vitest';
import type { Store } from '#domain/ports/store.ts';

/** Work that writes nothing. On PostgreSQL the revision is that of the server, on which other tests write, too: then it is tried again. */
export async function expectNoWrite(store: Store, work: () => Promise<unknown>): Promise<void> {
  const isUnwritten = async () => {
    const before = await store.revision();
    await work();
    return (await store.revision()) === before;
  };
  await expect.poll(isUnwritten, { timeout: 20_000, interval: 10 }).toBe(true);
}
