/**
 * What the code and formulas of one page may take together. Their grammars and macros promise nothing about time or
 * length.
 */
import { performance } from 'node:perf_hooks';
import { createContext, Script } from 'node:vm';

const defaultLength = 4_000_000;
/** What one alone takes longer for will not get far in more time, either. */
const eachMs = 1000;

export interface Allowance {
  /** What `work` makes; undefined if it takes longer, or is longer, than what is left. `isShort`: it surely ends soon by itself. */
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
      const since = performance.now();
      let made: string | undefined;
      if (leftMs > 0) made = isShort ? work() : withTimeout(work, Math.ceil(Math.min(leftMs, eachMs)));
      leftMs -= performance.now() - since;
      // A timeout counts whole milliseconds of a clock of its own, so it may come a part of one early.
      if (isFirst && leftMs < 1) throw new TakesLong();
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

function withTimeout(work: () => string | undefined, timeout: number): string | undefined {
  context.work = work;
  try {
    return script.runInContext(context, { timeout });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  } finally {
    context.work = undefined;
  }
}
