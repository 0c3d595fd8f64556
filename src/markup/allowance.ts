/** Limits on the code and formulas of one page together. Their grammars and macros promise nothing about time or length. */
import { createContext, Script } from 'node:vm';
import { threadCpuMs } from './cpu-clock.ts';

const defaultLength = 4_000_000;
/** Limit of a single one: if it takes longer, more time will not help. */
const eachMs = 1000;
/** How often one begins again that had hardly any of its time, as others had the processor. */
const maxTries = 4;

export interface Allowance {
  /**
   * Result of `work`; undefined if it takes longer, or is longer, than what is left. `isShort`: it surely ends soon by
   * itself.
   */
  spend(work: () => string | undefined, isShort?: boolean): string | undefined;
}

/** Says that a thread with more time had better do it. */
export class TakesLong extends Error {}

/** `isFirst`: what takes too long is told by `TakesLong`, as somebody else has more time. */
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
      // Work that was stopped by wall time may have used less CPU time. It is charged its whole share, so that small work does not go on after it.
      leftMs -= Math.max(threadCpuMs() - since, isEnded ? limitMs : 0);
      if (isFirst && (isEnded || leftMs <= 0)) throw new TakesLong();
      if (made === undefined || made.length > leftLength) return undefined;
      leftLength -= made.length;
      return made;
    },
  };
}

/** No protection from code, only the one way to end a regular expression that takes too long. It costs a thread. */
const context: { work?: (() => string | undefined) | undefined } = {};
createContext(context);
const script = new Script('work()');

/** Undefined when it was ended. The only timeout that there is goes by the time of day, so it is longer each time. */
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
