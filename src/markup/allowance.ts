/** Limits for all code and formulas of one page together. The grammars and macros involved have no bounds on time or length. */
import { createContext, Script } from 'node:vm';
import { threadCpuMs } from './cpu-clock.ts';

const defaultLength = 4_000_000;
/** Limit for one block: if it takes longer, more time would not help. */
const eachMs = 1000;
/** Number of attempts for a block that got hardly any CPU time because other processes used it. */
const maxTries = 4;

export interface Allowance {
  /**
   * Returns the result of `work`, or undefined if it exceeds the remaining time or length. `isShort`: it is known to end soon.
   */
  spend(work: () => string | undefined, isShort?: boolean): string | undefined;
}

/** Thrown when the work should be done on a thread with more time. */
export class TakesLong extends Error {}

/** `isFirst`: throws `TakesLong` if the work takes too long here, because another thread has more time. */
export function createAllowance({
  patienceMs = 1000,
  isFirst = false,
  maxLength = defaultLength,
} = {}): Allowance {
  let leftMs = patienceMs;
  let leftLength = maxLength;
  return {
    spend(work, isShort = false) {
      const since = threadCpuMs();
      let made: string | undefined;
      const limitMs = Math.ceil(Math.min(leftMs, eachMs));
      let isEnded = leftMs <= 0;
      if (!isEnded && isShort) made = work();
      else if (!isEnded) {
        const outcome = withinCpu(work, limitMs, isFirst ? 1 : maxTries);
        made = outcome?.made;
        isEnded = outcome === undefined;
      }
      // Work stopped by wall time may have used less CPU time. It is charged its whole limit, so that more work of the same
      // kind does not follow.
      leftMs -= Math.max(threadCpuMs() - since, isEnded ? limitMs : 0);
      if (isFirst && (isEnded || leftMs <= 0)) throw new TakesLong();
      if (made === undefined || made.length > leftLength) return undefined;
      leftLength -= made.length;
      return made;
    },
  };
}

/**
 * The context isolates nothing: `vm` is used because its timeout is the only way to stop a slow regular expression without
 * another thread.
 */
const context: { work?: (() => string | undefined) | undefined } = {};
createContext(context);
const script = new Script('work()');

/** Returns undefined if the work was stopped. The only timeout available uses wall time, so each attempt gets a longer one. */
function withinCpu(
  work: () => string | undefined,
  limitMs: number,
  tries: number,
): { made: string | undefined } | undefined {
  context.work = work;
  try {
    for (let triesLeft = tries, timeout = limitMs; triesLeft > 0; triesLeft--, timeout *= 2) {
      const since = threadCpuMs();
      try {
        return { made: script.runInContext(context, { timeout }) };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
        if (threadCpuMs() - since >= limitMs / 2) return undefined;
      }
    }
    return undefined;
  } finally {
    context.work = undefined;
  }
}
