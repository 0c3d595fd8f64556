/** CPU time of this thread, as no other work of the machine changes it. */

/** Milliseconds that `work` takes, the least of five times. */
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
