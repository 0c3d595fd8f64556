/** Thread of `scrub.ts`. Readers continue while it works, writers wait. */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** Time for reads that began before to end. */
const patienceMs = 30_000;
const lookEveryMs = 50;

const db = new DatabaseSync(workerData as string, { timeout: patienceMs });
// Deleted entries remain in a segment of a search index until it is merged; this merges all segments into one.
for (const index of ['page_text', 'page_names'])
  db.exec(`insert into ${index} (${index}) values ('optimize')`);
db.exec('vacuum');
// The log contains earlier versions of pages: it is truncated once nobody reads it.
const cut = db.prepare('pragma wal_checkpoint(truncate)');
const until = performance.now() + patienceMs;
let isCut = false;
while (!isCut && performance.now() < until) {
  isCut = (cut.get() as { busy: number }).busy === 0;
  if (!isCut) await sleep(lookEveryMs);
}
db.close();
parentPort?.postMessage(
  isCut ? [] : ['The write-ahead log of the database could not be cut, as it is being read: erase again.'],
);
