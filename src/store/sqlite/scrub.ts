/**
 * Rewrites a SQLite file on a separate thread: deleted data remains in free space, in the log and in segments of the search
 * indexes until it is overwritten.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export async function scrub(file: string): Promise<string[]> {
  const thread = new Worker(new URL('./scrub-thread.ts', import.meta.url), { workerData: file });
  const [left] = (await once(thread, 'message')) as [string[]];
  await thread.terminate();
  return left;
}
