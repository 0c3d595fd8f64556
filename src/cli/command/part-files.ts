/**
 * Files and folders that a backup or export is written to before it has its name. One that a killed process has left is removed by the next one into
 * the same folder, and a signal removes its own at once.
 */

import { rmSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Problem } from '#domain/problem.ts';
import { renameDurably } from './durable-rename.ts';

/** Long after any backup has ended: then the number of its process is another's. */
const abandonedMs = 24 * 60 * 60 * 1000;
const ours = /\.coppice-(\d+)\.part(\.rows)?$/;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Writes what is then called `place`, and is there whole or not at all. `write` is given the name that it has until then; a file
 * beside it may have `.rows` behind that name. `lost` says what there is none of where the disk is full.
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
    if (code === 'ENOENT') throw new Problem('not-found', `There is no folder ${folder}.`);
    if (code === 'EACCES') throw new Problem('invalid', `The folder ${folder} may not be written.`);
    if (code === 'ENOSPC') throw new Problem('unavailable', `The disk is full: ${lost}.`);
    throw error;
  }
}

/** Removes those whose process has ended. */
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

/** Until disposed of, a signal that ends the process removes these files first. */
function removedOnSignal(paths: string[]): Disposable {
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
