/** Time-slices long work so that it yields to the event loop. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Longest stretch of work in milliseconds, however busy the process is. */
const longestMs = 50;
/** CPU time that a slice of items should take, in microseconds. */
const sliceMicroseconds = 4000;

/**
 * Limits background work to a share of the time: some milliseconds at a stretch, and more while the event loop is busy, because
 * otherwise the work would never end in a busy process.
 */
export class TimeShare {
  readonly #leastMs: number;
  #until: number;

  /** `leastMs`: minimum length of one stretch of work. */
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
 * Shared by all sliced work in the process: with a share each, every part of a long job would begin with a full stretch. Short,
 * because a read takes several ticks and may wait for a stretch in each.
 */
const share = new TimeShare(2);

/**
 * Yields the items in slices, pausing between them when the time share is used up. The first slice has `first` items; later
 * slices grow up to `most` or shrink, so that each takes about `sliceMicroseconds`.
 */
export async function* inTimeSlices<T>(
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
