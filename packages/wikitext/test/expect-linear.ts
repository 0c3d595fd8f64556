/** Distinguishes work in linear time from slower work. */
import { expect } from 'vitest';

/** Use longer texts before a release. */
export const isThorough = process.env.COPPICE_TESTS === 'thorough';

/** `long` is four times `short`. Times up to `momentMs` are too short to measure well and always pass. */
export function expectLinear(
  work: (text: string) => unknown,
  short: string,
  long: string,
  momentMs: number,
): void {
  // The short text runs first, so that the code is compiled before measuring.
  let once = cost(work, short);
  let fourfold = cost(work, long);
  let most = momentMs;
  // Other work of the process only adds time: compare the minima of several runs. Faster growth still fails.
  for (let run = 0; run < 8 && fourfold > most; run++) {
    once = Math.min(once, cost(work, short));
    fourfold = Math.min(fourfold, cost(work, long));
    // A factor of 2.5 for double the text is 6.25 for fourfold.
    most = Math.max(once * 6.25, momentMs);
  }
  expect(fourfold).toBeLessThanOrEqual(most);
}

/** CPU time of this thread in milliseconds, unaffected by other work on the machine. */
function cost(work: (text: string) => unknown, text: string): number {
  const before = process.threadCpuUsage();
  work(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
