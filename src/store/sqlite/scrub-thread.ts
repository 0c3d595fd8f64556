/** Thread of `scrub.ts`. Readers continue while it works, writers wait. */
import { rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { rewritingMark } from './log-follower.ts';

/** Time for writes that began before to end. */
const lockTimeoutMs = 30_000;
const lookEveryMs = 50;

const { file, patienceMs } = workerData as { file: string; patienceMs: number };
const db = new DatabaseSync(file);
// The log contains earlier versions of pages: it is truncated while nobody reads it.
const cut = db.prepare('pragma wal_checkpoint(truncate)');

async function isCut(): Promise<boolean> {
  db.exec('pragma busy_timeout = 1000');
  const until = performance.now() + patienceMs;
  for (;;) {
    if ((cut.get() as { busy: number }).busy === 0) return true;
    if (performance.now() > until) return false;
    await sleep(lookEveryMs);
  }
}

function rewrite(): void {
  db.exec(`pragma busy_timeout = ${lockTimeoutMs}`);
  // Deleted entries remain in a segment of a search index until it is merged; this merges all segments into one.
  for (const index of ['page_text', 'page_names'])
    db.exec(`insert into ${index} (${index}) values ('optimize')`);
  db.exec('vacuum');
}

// A process that copies the log lets go of it meanwhile.
const mark = rewritingMark(file);
writeFileSync(mark, '');
let isWhole = false;
try {
  isWhole = await isCut();
  // While somebody reads the log, rewriting the database would achieve nothing.
  if (isWhole) {
    rewrite();
    isWhole = await isCut();
  }
} finally {
  rmSync(mark, { force: true });
}
db.close();
parentPort?.postMessage(isWhole);
