/** Tells work that takes time in proportion to its text from work that takes more. */
import { expect } from 'vitest';

/** Longer texts before a release. */
export const isThorough = process.env.COPPICE_TESTS === 'thorough';

/** `long` is four times `short`. What takes less than `momentMs` is not measured well, and counts as nothing. */
export function expectLinear(
  work: (text: string) => unknown,
  short: string,
  long: string,
  momentMs: number,
): void {
  // The short one first, so that the code is compiled when it is measured.
  let once = cost(work, short);
  let fourfold = cost(work, long);
  let most = momentMs;
  // Other work of the process only adds: the least of several counts, and what grows faster never gets there.
  for (let run = 0; run < 8 && fourfold > most; run++) {
    once = Math.min(once, cost(work, short));
    fourfold = Math.min(fourfold, cost(work, long));
    // 2.5 for double the text is 6.25 for fourfold.
    most = Math.max(once * 6.25, momentMs);
  }
  expect(fourfold).toBeLessThanOrEqual(most);
}

/** Processor time of this thread in milliseconds, as no other work on the machine changes it. */
function cost(work: (text: string) => unknown, text: string): number {
  const before = process.threadCpuUsage();
  work(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
