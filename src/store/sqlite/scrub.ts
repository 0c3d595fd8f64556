/**
 * Rewrites a SQLite file on a separate thread: deleted data remains in free space, in the log and in segments of the search
 * indexes until it is overwritten.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Scrubbed } from '#core/ports/maintenance-store.ts';

const read =
  'The write-ahead log of the database still contains it, because another process is reading the database. The wiki truncates the log by itself when that has ended.';

export async function scrub(file: string, patienceMs: number): Promise<Scrubbed> {
  const thread = new Worker(new URL('./scrub-thread.ts', import.meta.url), {
    workerData: { file, patienceMs },
  });
  const [isCut] = (await once(thread, 'message')) as [boolean];
  await thread.terminate();
  return { isWhole: isCut, left: isCut ? [] : [read] };
}
