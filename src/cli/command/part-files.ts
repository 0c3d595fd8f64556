/**
 * Files and folders that a backup or export is written to before it has its name. One that a killed process has left is removed by the next one into
 * the same folder, and a signal removes its own at once.
 */

import { rmSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Long after any backup has ended: then the number of its process is another's. */
const abandonedMs = 24 * 60 * 60 * 1000;
const ours = /\.coppice-(\d+)\.part(\.rows)?$/;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The name that this process writes `file` under; `.rows` behind it is another. */
export function partOf(file: string): string {
  return `${file}.coppice-${process.pid}.part`;
}

/** Removes those whose process has ended. */
export async function sweepParts(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = ours.exec(name)?.[1];
    if (pid === undefined) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    const isLeft = !isRunning(Number(pid)) || (found?.mtimeMs ?? now) < now - abandonedMs;
    if (isLeft) await rm(path, { force: true, recursive: true });
  }
}

/** Until disposed of, a signal that ends the process removes these files first. */
export function removedOnSignal(paths: string[]): Disposable {
  const end = (signal: NodeJS.Signals) => {
    for (const path of paths) rmSync(path, { force: true, recursive: true });
    stopListening();
    // Send the signal again without a listener, so that the parent process sees which signal ended this one.
    process.kill(process.pid, signal);
  };
  const stopListening = () => {
    for (const signal of signals) process.off(signal, end);
  };
  for (const signal of signals) process.on(signal, end);
  return { [Symbol.dispose]: stopListening };
}

/** Another one: what has our own number is of a process that had it before. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
