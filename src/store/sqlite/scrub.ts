/**
 * Writes a SQLite file anew, on a thread of its own: what was deleted stays in free room of its pages, in the log and in parts of the
 * search indexes until something else takes its place.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export async function scrub(file: string): Promise<string[]> {
  const thread = new Worker(new URL('./scrub-thread.ts', import.meta.url), { workerData: file });
  const [left] = (await once(thread, 'message')) as [string[]];
  await thread.terminate();
  return left;
}
