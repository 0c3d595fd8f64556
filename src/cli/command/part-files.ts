/**
 * Temporary files and folders of backups and exports. Leftovers of killed processes are removed by the next one in the same
 * folder; signals remove the current ones at once.
 */

import { rmSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Problem } from '#core/model/problem.ts';
import { renameDurably } from './durable-rename.ts';

/** Age after which a process ID may have been reused. */
const abandonedMs = 24 * 60 * 60 * 1000;
const ours = /\.coppice-(\d+)\.part(\.rows)?$/;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Writes `place` completely or not at all. `write` gets the temporary name; a second file may have `.rows` appended to that
 * name. `lost` says what is missing if the disk is full.
 */
export async function writeAside<T>(
  place: string,
  now: number,
  lost: string,
  write: (part: string) => Promise<T>,
): Promise<T> {
  const folder = dirname(place);
  const part = `${place}.coppice-${process.pid}.part`;
  using _ = removedOnSignal([part, `${part}.rows`]);
  try {
    await sweepParts(folder, now);
    const written = await write(part);
    await renameDurably(part, place);
    return written;
  } catch (error) {
    await rm(part, { force: true, recursive: true });
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new Problem('not-found', `The folder ${folder} does not exist.`);
    if (code === 'EACCES') throw new Problem('invalid', `The folder ${folder} cannot be written to.`);
    if (code === 'ENOSPC') throw new Problem('unavailable', `The disk is full: ${lost}.`);
    throw error;
  }
}

/** Removes leftovers of processes that have ended. */
async function sweepParts(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = ours.exec(name)?.[1];
    if (pid === undefined) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    const isLeft = !isRunning(Number(pid)) || (found?.mtimeMs ?? now) < now - abandonedMs;
    if (isLeft) await rm(path, { force: true, recursive: true });
  }
}

/** Removes these files on a terminating signal, until disposed of. */
function removedOnSignal(paths: string[]): Disposable {
  const end = (signal: NodeJS.Signals) => {
    for (const path of paths) rmSync(path, { force: true, recursive: true });
    stopListening();
    // Sends the signal again without a listener, so that the parent process sees which signal ended this one.
    process.kill(process.pid, signal);
  };
  const stopListening = () => {
    for (const signal of signals) process.off(signal, end);
  };
  for (const signal of signals) process.on(signal, end);
  return { [Symbol.dispose]: stopListening };
}

/** Whether another process has this ID; our own ID was reused. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
