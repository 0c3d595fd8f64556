/**
 * Loaded first into a server: records the longest ticks of its event loop, by CPU time of the thread and by wall time. SIGUSR2
 * writes them as JSON to the file that COPPICE_BENCH_TICKS names, and starts over.
 */
import { renameSync, writeFileSync } from 'node:fs';

export interface LongestTicks {
  ticks: number;
  /** CPU time of the thread in one tick in milliseconds, longest first. */
  cpuMs: number[];
  /** Wall time, which includes waiting for the disk and, on a busy machine, for a processor. */
  wallMs: number[];
}

const kept = 20;

const file = process.env.COPPICE_BENCH_TICKS;
if (file) {
  let longest: LongestTicks = { ticks: 0, cpuMs: [], wallMs: [] };
  let cpuAt = cpuMs();
  let wallAt = performance.now();
  const add = (list: number[], value: number) => {
    if (list.length === kept && value <= (list[kept - 1] ?? 0)) return;
    list.push(value);
    list.sort((a, b) => b - a).splice(kept);
  };
  setInterval(() => {
    const cpu = cpuMs();
    const wall = performance.now();
    longest.ticks++;
    add(longest.cpuMs, cpu - cpuAt);
    add(longest.wallMs, wall - wallAt);
    cpuAt = cpu;
    wallAt = wall;
  }, 1).unref();
  process.on('SIGUSR2', () => {
    // Written under another name and renamed, so that a reader always finds the whole file.
    writeFileSync(`${file}.part`, JSON.stringify(longest));
    renameSync(`${file}.part`, file);
    longest = { ticks: 0, cpuMs: [], wallMs: [] };
  });
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
