/** Work on very many rows, some at a time, so that what else this process does has its turn in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Rows that take some milliseconds to write with all their indexes. */
const rowsAtOnce = 20;

export async function inSlices<T>(
  items: readonly T[],
  work: (slice: readonly T[]) => Promise<void>,
  atOnce = rowsAtOnce,
): Promise<void> {
  for (let from = 0; from < items.length; from += atOnce) {
    if (from > 0) await nextTurn();
    await work(items.slice(from, from + atOnce));
  }
}
