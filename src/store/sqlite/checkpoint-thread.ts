/**
 * The thread of `checkpoints.ts`: copies once for each message, and answers when it has. Its priority is not lowered, as the log
 * grows until it has copied it.
 */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

const db = new DatabaseSync(workerData as string);
db.exec('pragma synchronous = full; pragma cache_size = -256');
const copy = db.prepare('pragma wal_checkpoint(passive)');

const cut = db.prepare('pragma wal_checkpoint(truncate)');

parentPort?.on('message', ({ isToBeCut }: { isToBeCut: boolean }) => {
  copy.get();
  // Little was written meanwhile. Once that is copied as well, the log can begin anew.
  copy.get();
  // Not while anybody reads or writes: then the next time.
  if (isToBeCut) cut.get();
  parentPort?.postMessage(undefined);
});
