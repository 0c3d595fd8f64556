/** Work that a process repeats while it runs. */

export interface Rounds {
  /** Waits for the current round. */
  stop(): Promise<void>;
}

/**
 * Begins a round `everyMs` after the end of the last one. `isStopped`: whether a long round should end early. `failed` is called for the
 * first of several failures in a row.
 */
export function keepRounds(
  everyMs: number,
  round: (isStopped: () => boolean) => Promise<unknown>,
  failed: (error: unknown) => void,
): Rounds {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let hasFailed = false;
  let running = Promise.resolve();
  const once = async () => {
    try {
      await round(() => isStopped);
      hasFailed = false;
    } catch (error) {
      if (!isStopped && !hasFailed) failed(error);
      hasFailed = true;
    }
    next();
  };
  const next = () => {
    if (isStopped) return;
    timer = setTimeout(() => {
      running = once();
    }, everyMs).unref();
  };
  next();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
