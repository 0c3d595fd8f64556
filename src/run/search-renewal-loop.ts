/** Renews the search indexes of a wiki that an earlier version wrote, piece by piece while the wiki is served. */
import type { Logger } from 'pino';
import { renewSome } from '#core/maintenance/renew-search.ts';
import type { Store } from '#core/ports/store.ts';

/** Time before the first piece, after a failure, and while the wiki is read-only. */
const waitMs = 5000;
const leastPauseMs = 20;

export interface Renewing {
  /** Waits for the current piece. */
  stop(): Promise<void>;
}

type Renewed = number | 'read-only' | undefined;

/** Renews a piece, unless the wiki is read-only, as it is while an update starts. */
export async function renewPiece(store: Store): Promise<Renewed> {
  return store.settings.current().readOnly ? 'read-only' : renewSome(store);
}

/**
 * `renew` renews some pages and returns how many were written, or undefined if nothing is left. The pause after each piece is as
 * long as the piece took, so half of the time is left for others.
 */
export function keepRenewing(renew: () => Promise<Renewed>, log: Logger): Renewing {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let piece = Promise.resolve();
  let count = 0;
  const next = (ms: number) => {
    if (isStopped) return;
    timer = setTimeout(() => {
      piece = run();
    }, ms).unref();
  };
  const run = async () => {
    const since = performance.now();
    try {
      const written = await renew();
      if (written === 'read-only') next(waitMs);
      else if (written !== undefined) {
        count += written;
        next(Math.max(leastPauseMs, performance.now() - since));
      } else if (count > 0) log.info({ count }, 'pages renewed for searching');
    } catch (error) {
      if (!isStopped) log.warn({ err: error }, 'pages not renewed for searching');
      next(waitMs);
    }
  };
  next(waitMs);
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await piece;
    },
  };
}
