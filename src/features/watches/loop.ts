/** Checks every few seconds for events that members watch, in every process; one of them notifies the members. */
import type { Store } from '#core/ports/store.ts';
import { notifyWatchers } from './notify.ts';

const everyMs = 3000;

export interface Notifying {
  /** Waits for the current round. */
  stop(): Promise<void>;
}

export function keepNotifying(
  store: Store,
  clock: () => number,
  failed: (error: unknown) => void,
): Notifying {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let round = Promise.resolve();
  const rounds = async () => {
    try {
      while (!isStopped && (await notifyWatchers(store, clock)));
    } catch (error) {
      if (!isStopped) failed(error);
    }
    next();
  };
  const next = () => {
    if (isStopped) return;
    timer = setTimeout(() => {
      round = rounds();
    }, everyMs).unref();
  };
  next();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}
