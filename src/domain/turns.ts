/** Bounded parallelism: work that takes a core or much memory goes a few at a time, in the order it came. */
import { Problem } from './problem.ts';

export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** `maxParallel` at once, `maxWaiting` more in line; beyond, Problem `unavailable` with the sentence `crowded`. */
export function takeTurns(maxParallel: number, maxWaiting: number, crowded: string): InTurn {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running < maxParallel) running++;
    else if (waiting.length >= maxWaiting) throw new Problem('unavailable', crowded);
    // A finished task hands its turn over, so `running` stays as it is.
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
