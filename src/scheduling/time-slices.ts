/** Work on very many rows, some at a time, so that what else this process does has its turn in between. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Rows that take some milliseconds to write with all their indexes. */
const rowsAtOnce = 20;
/** Longest stretch of work, in milliseconds, however long all others take. */
const most = 50;

/**
 * A share of the time for work that others must not wait for: some milliseconds at a stretch, and more where all that lies ready
 * takes long, or a process with much to do would come to nothing but that.
 */
export class TimeShare {
  readonly #least: number;
  #until: number;

  /** `least`: milliseconds at a stretch. */
  constructor(least: number) {
    this.#least = least;
    this.#until = performance.now() + least;
  }

  /** Lets the others have their turn if the share is used up. */
  async pause(): Promise<void> {
    const since = performance.now();
    if (since < this.#until) return;
    await yieldToEventLoop();
    const now = performance.now();
    this.#until = now + Math.min(most, Math.max(this.#least, (now - since) / 2));
  }
}

/**
 * One for all slices: each part of long work would begin with a stretch of its own otherwise. Short, as a read takes several turns,
 * and waits for a stretch in each.
 */
const share = new TimeShare(2);

export async function inSlices<T>(
  items: readonly T[],
  work: (slice: readonly T[]) => Promise<void>,
  atOnce = rowsAtOnce,
): Promise<void> {
  for (let from = 0; from < items.length; from += atOnce) {
    if (from > 0) await share.pause();
    await work(items.slice(from, from + atOnce));
  }
}
