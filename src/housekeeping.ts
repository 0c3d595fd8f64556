/** Removes what has been kept for long, now and then, while the wiki is served: by one process of several. */
import type { Logger } from 'pino';
import type { SpillFile } from './cache/spill-file.ts';
import { forgetOldEntries } from './domain/audit/list-audit.ts';
import { forgetReviews } from './domain/events/review-events.ts';
import type { FileStore } from './domain/ports/file-store.ts';
import type { Store } from './domain/ports/store.ts';
import { dayMs, emptyTrash } from './domain/trash/purge-trash.ts';
import { sweepUploads, uploadFolder } from './import/imports.ts';

/** After the start, so that nobody waits for it there, and after a round that left some. */
const soonMs = 60_000;
const roundMs = 60 * 60 * 1000;

/** One round: some deletions that are older than `trashDays`, some entries older than `auditDays`; 0: they stay. Uploads that nobody imports and sign-ups that have expired go, too; old events await no review. Returns how many. */
export async function tidy(
  { store, files }: { store: Store; files: { store: FileStore } },
  { trashDays, auditDays, dataFolder }: { trashDays: number; auditDays: number; dataFolder: string },
  now: number,
): Promise<number> {
  await sweepUploads(uploadFolder(dataFolder), now);
  const purged = trashDays === 0 ? 0 : await emptyTrash(store, files.store, now - trashDays * dayMs, now);
  const forgotten = (await forgetOldEntries(store, auditDays, now)) + (await store.signUps.purge(now));
  return purged + forgotten + (await forgetReviews(store, now));
}

/** Ends when it is disposed of. `round` removes some of what is due, and says how many things these were. */
export function startHousekeeping(round: (now: number) => Promise<number>, log: Logger): Disposable {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const next = (ms: number) => {
    if (!isOver) timer = setTimeout(run, ms).unref();
  };
  const run = async () => {
    try {
      const removed = await round(Date.now());
      if (removed > 0) log.info({ removed }, 'old things removed');
      next(removed > 0 ? soonMs : roundMs);
    } catch (error) {
      if (!isOver) log.warn({ err: error }, 'old things not removed');
      next(roundMs);
    }
  };
  next(soonMs);
  return {
    [Symbol.dispose]() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

const lookForErasuresMs = 10_000;

/** Other processes erase, too: what they did is found in the audit log, and what this one has put on disk is given up. */
export function emptyAfterErasures(store: Store, spillFile: SpillFile, log: Logger): Disposable {
  let last: number | undefined;
  const look = async () => {
    try {
      const [found] = await store.audit.listBefore(undefined, 1, {
        kinds: ['content-erased', 'member-erased'],
      });
      const id = found?.id ?? 0;
      if (last !== undefined && id !== last) spillFile.empty();
      last = id;
    } catch (error) {
      log.warn({ err: error }, 'not known whether something was erased');
      // Rather too often.
      spillFile.empty();
    }
  };
  const timer = setInterval(look, lookForErasuresMs).unref();
  void look();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
