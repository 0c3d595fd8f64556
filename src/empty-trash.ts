/** Empties the trash of what has been in it for long, now and then, while the wiki is served: by one process of several. */
import type { Logger } from 'pino';
import { dayMs } from './domain/trash/purge-trash.ts';

/** After the start, so that nobody waits for it there, and after a round that left some. */
const soonMs = 60_000;
const roundMs = 60 * 60 * 1000;

/**
 * Ends when it is disposed of. `days`: 0 for never. `empty` purges some of what was deleted before a moment, and says how many
 * deletions these were.
 */
export function keepTrashEmpty(
  empty: (deletedBefore: number, now: number) => Promise<number>,
  days: number,
  log: Logger,
): Disposable {
  let timer: NodeJS.Timeout | undefined;
  let isOver = days === 0;
  const next = (ms: number) => {
    if (!isOver) timer = setTimeout(round, ms).unref();
  };
  const round = async () => {
    try {
      const now = Date.now();
      const purged = await empty(now - days * dayMs, now);
      if (purged > 0) log.info({ purged }, 'trash emptied');
      next(purged > 0 ? soonMs : roundMs);
    } catch (error) {
      if (!isOver) log.warn({ err: error }, 'trash not emptied');
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
