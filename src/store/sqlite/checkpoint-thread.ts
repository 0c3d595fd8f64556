/**
 * Thread of `checkpoints.ts`: performs one checkpoint for each message, and replies when it is done. Its priority is not
 * lowered, because the log grows until the checkpoint is done.
 */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

const db = new DatabaseSync(workerData as string);
db.exec('pragma synchronous = full; pragma cache_size = -256');
const copy = db.prepare('pragma wal_checkpoint(passive)');

const cut = db.prepare('pragma wal_checkpoint(truncate)');

parentPort?.on('message', ({ isToBeCut }: { isToBeCut: boolean }) => {
  copy.get();
  // Little was written meanwhile. Once that is copied as well, the log can restart.
  copy.get();
  // Fails while anybody reads or writes; then it is tried next time.
  if (isToBeCut) cut.get();
  parentPort?.postMessage(undefined);
});
