/** CPU time of this thread, which other work of the machine does not change. */

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
