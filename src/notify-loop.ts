/** Checks every few seconds for events that members watch, in every process; one of them notifies the members. */
import type { Logger } from 'pino';

const everyMs = 3000;

export interface Notifying {
  /** Waits for the current round. */
  stop(): Promise<void>;
}

/** `notify` handles a batch of events and returns whether there may be more. */
export function keepNotifying(notify: () => Promise<boolean>, log: Logger): Notifying {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let round = Promise.resolve();
  const rounds = async () => {
    try {
      while (!isStopped && (await notify()));
    } catch (error) {
      if (!isStopped) log.warn({ err: error }, 'watchers not notified');
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
