/** Work on very many rows, some at a time, so that what else this process does has its turn in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Rows that take some milliseconds to write with all their indexes. */
const rowsAtOnce = 20;
/** Of work at a stretch, in milliseconds. */
const [least, most] = [5, 50];

/**
 * A share of the time for work that others must not wait for: some milliseconds at a stretch, and more where all that lies ready
 * takes long, or a process with much to do would come to nothing but that.
 */
export class TimeShare {
  #until = performance.now() + least;

  /** Lets the others have their turn if the share is used up. */
  async pause(): Promise<void> {
    const since = performance.now();
    if (since < this.#until) return;
    await nextTurn();
    const now = performance.now();
    this.#until = now + Math.min(most, Math.max(least, (now - since) / 2));
  }
}

export async function inSlices<T>(
  items: readonly T[],
  work: (slice: readonly T[]) => Promise<void>,
  atOnce = rowsAtOnce,
): Promise<void> {
  const share = new TimeShare();
  for (let from = 0; from < items.length; from += atOnce) {
    if (from > 0) await share.pause();
    await work(items.slice(from, from + atOnce));
  }
}
