/** Limits concurrency: tasks that need a core or much memory run a few at a time, in the order they came. */

export type Limited = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs up to `maxParallel` tasks at once and queues `maxWaiting` more; beyond that it throws what `refusal` returns. */
export function limitConcurrency(maxParallel: number, maxWaiting: number, refusal: () => Error): Limited {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running < maxParallel) running++;
    else if (waiting.length >= maxWaiting) throw refusal();
    // A finished task hands its place over, so `running` stays as it is.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
