/** Periodically removes expired data while the wiki is served; with several workers, one process does this. */
import type { Logger } from 'pino';
import type { SpillFile } from './cache/spill-file.ts';
import { forgetOldEntries } from './domain/audit/list-audit.ts';
import { forgetReviews } from './domain/events/review-events.ts';
import type { FileStore } from './domain/ports/file-store.ts';
import type { Store } from './domain/ports/store.ts';
import { dayMs, emptyTrash } from './domain/trash/purge-trash.ts';
import { sweepUploads, uploadFolder } from './import/imports.ts';

/** Delay of the first round, so that it does not slow down the start, and of the next one if a round left some data behind. */
const soonMs = 60_000;
const roundMs = 60 * 60 * 1000;

/**
 * Runs one round: purges some deletions older than `trashDays` and some audit entries older than `auditDays` (0 keeps them),
 * and removes abandoned uploads, expired sign-ups and old events from the review queue. Returns the number of removed items.
 */
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

/** Runs until disposed. `round` removes some of the expired data and returns the number of items. */
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

/** Empties this process's disk cache after any process has erased data, which it detects from the audit log. */
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
      // On an error it is emptied as well, to be safe.
      spillFile.empty();
    }
  };
  const timer = setInterval(look, lookForErasuresMs).unref();
  void look();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
