/** Time-slices long work so that it yields to the event loop. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Longest stretch of work, in milliseconds, however long all others take. */
const longestMs = 50;
/** CPU time that a slice of items should take, in microseconds. */
const sliceMicroseconds = 4000;

/**
 * A share of the time for work that others must not wait for: some milliseconds at a stretch, and more while the event loop
 * is busy, or the work would never end in a process with much to do.
 */
export class TimeShare {
  readonly #leastMs: number;
  #until: number;

  /** `leastMs`: at a stretch. */
  constructor(leastMs: number) {
    this.#leastMs = leastMs;
    this.#until = performance.now() + leastMs;
  }

  /** Yields to the event loop if the share is used up. */
  async pause(): Promise<void> {
    const since = performance.now();
    if (since < this.#until) return;
    await yieldToEventLoop();
    const now = performance.now();
    this.#until = now + Math.min(longestMs, Math.max(this.#leastMs, (now - since) / 2));
  }
}

/**
 * Shared by all slices of the process: with one each, every part of long work would begin with a stretch of its own. Short,
 * because a read takes several ticks and waits for a stretch in each.
 */
const share = new TimeShare(2);

/**
 * The items in slices, with a pause between them when the share of time is used up. A slice has `first` items at the beginning;
 * later ones have more, up to `most`, or fewer, so that each takes about `sliceMicroseconds`.
 */
export async function* yielding<T>(
  items: readonly T[],
  { first = 20, most = 250 }: { first?: number; most?: number } = {},
): AsyncGenerator<readonly T[]> {
  let size = first;
  for (let from = 0; from < items.length; ) {
    if (from > 0) await share.pause();
    const slice = items.slice(from, from + size);
    from += slice.length;
    const before = process.threadCpuUsage();
    yield slice;
    const { user, system } = process.threadCpuUsage(before);
    if (user + system < sliceMicroseconds / 2) size = Math.min(2 * size, Math.max(first, most));
    else if (user + system > 2 * sliceMicroseconds) size = Math.max(Math.ceil(size / 2), 1);
  }
}
