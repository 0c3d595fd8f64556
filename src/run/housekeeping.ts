/**
 * Periodically finishes erasures and removes expired data while the wiki is served; with several workers, one process does
 * this.
 */
import type { Logger } from 'pino';
import type { SpillFile } from '#cache/spill-file.ts';
import { forgetReviews } from '#core/events/review-events.ts';
import { dayMs } from '#core/model/iso-time.ts';
import type { FileStore } from '#core/ports/file-store.ts';
import type { Store } from '#core/ports/store.ts';
import { sweepUploads, uploadFolder } from '#import/imports.ts';
import { forgetOldEntries } from '#src/features/audit/audit.ts';
import { finishErasures } from '#src/features/erasure/finish-erasures.ts';
import { emptyTrash } from '#src/features/trash/purge.ts';

/** Time between looks at what is urgent, and before the first round, so that it does not slow down the start. */
const lookMs = 60_000;
/** Drafts of the editor that nobody went on with. */
const draftDays = 60;
const draftsAtOnce = 200;
const roundMs = 60 * 60 * 1000;
/** A clock that was set by more than this may be wrong: see `startHousekeeping`. */
const maxClockJumpMs = 60 * 60 * 1000;

/**
 * Runs one round: purges some deletions older than `trashDays` and some audit entries older than `auditDays` (0 keeps them),
 * and removes abandoned uploads, expired sign-ups, old drafts of the editor and old events from the review queue. Returns the number of removed items: none while
 * the wiki is read-only, which the store of a command would not refuse.
 */
export async function tidy(
  { store, files }: { store: Store; files: { store: FileStore } },
  { trashDays, auditDays, dataFolder }: { trashDays: number; auditDays: number; dataFolder: string },
  now: number,
): Promise<number> {
  if (store.settings.current().readOnly) return 0;
  await sweepUploads(uploadFolder(dataFolder), now);
  const purged = trashDays === 0 ? 0 : await emptyTrash(store, files.store, now - trashDays * dayMs, now);
  const forgotten =
    (await forgetOldEntries(store, auditDays, now)) +
    (await store.signUps.purge(now)) +
    (await store.drafts.purge(now - draftDays * dayMs, draftsAtOnce));
  return purged + forgotten + (await forgetReviews(store, now));
}

/** Finishes the erasures that can be finished now, none while the wiki is read-only. Returns how many. */
export async function finishPending({
  store,
  files,
}: {
  store: Store;
  files: { store: FileStore };
}): Promise<number> {
  if (store.settings.current().readOnly) return 0;
  return (await finishErasures({ store, files: files.store }, 0)).count;
}

export interface Chores {
  /** Finishes erasures whose bytes could not be removed at once. Returns how many. Runs every minute. */
  finishErasures(): Promise<number>;
  /** Removes some of the expired data, and returns the number of items. Runs every hour, or after a minute if it removed some. */
  tidy(now: number): Promise<number>;
}

/**
 * Runs until disposed. After the clock has jumped, what it says to be old is kept for an hour, in which a wrong clock can be set
 * right.
 */
export function startHousekeeping({ finishErasures, tidy }: Chores, log: Logger): Disposable {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let tidyAt = 0;
  let clockOffset = Date.now() - performance.now();
  const attempt = async (chore: () => Promise<number>, done: string): Promise<number> => {
    try {
      const count = await chore();
      if (count > 0) log.info({ count }, done);
      return count;
    } catch (error) {
      if (!isOver) log.warn({ err: error }, `not ${done}`);
      return 0;
    }
  };
  const run = async () => {
    await attempt(finishErasures, 'erasures finished');
    const offset = Date.now() - performance.now();
    if (Math.abs(offset - clockOffset) > maxClockJumpMs) {
      log.warn({ jumpMs: Math.round(offset - clockOffset) }, 'the clock jumped: no housekeeping for an hour');
      tidyAt = performance.now() + roundMs;
    }
    clockOffset = offset;
    if (performance.now() >= tidyAt) {
      const removed = await attempt(() => tidy(Date.now()), 'old data removed');
      tidyAt = removed > 0 ? 0 : performance.now() + roundMs;
    }
    next();
  };
  const next = () => {
    if (!isOver) timer = setTimeout(run, lookMs).unref();
  };
  next();
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
      log.warn({ err: error }, 'cannot find out whether something was erased');
      // On an error it is emptied as well, to be safe.
      spillFile.empty();
    }
  };
  const timer = setInterval(look, lookForErasuresMs).unref();
  void look();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
