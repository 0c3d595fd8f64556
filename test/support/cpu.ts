/** CPU time of this thread, which other work of the machine does not change. */

import { expect } from 'vitest';

/** CPU milliseconds that `work` takes, the least of five runs. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 5; run++) {
    const before = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(before);
    times.push((user + system) / 1000);
  }
  return Math.min(...times);
}

/** Refuses work whose time grows with the square of its text: `long` is four times `short`. Moments are too short to measure. */
export function expectLinear(work: (text: string) => unknown, short: string, long: string): void {
  const cost = (text: string) => {
    const before = process.threadCpuUsage();
    work(text);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
  let [once, fourfold] = [cost(short), cost(long)];
  const most = () => Math.max(100, once * 6.25);
  // Others on the machine only add time.
  for (let run = 0; run < 8 && fourfold > most(); run++) {
    once = Math.min(once, cost(short));
    fourfold = Math.min(fourfold, cost(long));
  }
  expect(fourfold).toBeLessThanOrEqual(most());
}
