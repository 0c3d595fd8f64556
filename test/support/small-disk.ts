/**
 * A disk of a few MB that really fills up: an in-memory file system in a mount namespace of its own. It needs no privileges if
 * the system allows users to create namespaces (most Linux systems do). Only the process started in it sees it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { baseEnvironment } from './environment.ts';

interface SmallDisk extends Disposable {
  /** Path of the folder for processes started on this disk. */
  folder: string;
  /** Starts a program that sees this disk. */
  spawn(command: string, args: string[], env: Record<string, string>): ChildProcess;
  /** Path of the folder for other processes of the same user, while `process` runs. */
  seenFrom(process: ChildProcess): string;
}

/** Starts a program that can only read the folder and its contents. */
export function spawnReadOnly(
  folder: string,
  command: string,
  args: string[],
  env: Record<string, string>,
): ChildProcess {
  const mount = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
  const inside = ['--user', '--map-root-user', '--mount', 'sh', '-c', mount, folder, command, ...args];
  return spawn('unshare', inside, {
    env: { ...baseEnvironment, ...env },
    cwd: join(import.meta.dirname, '../..'),
  });
}

export function smallDisk(size: string): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'coppice-disk-'));
  return {
    folder,
    spawn: (command, args, env) =>
      spawn(
        'unshare',
        [
          '--user',
          '--map-root-user',
          '--mount',
          'sh',
          '-c',
          `mount -t tmpfs -o size=${size} tmpfs "$0" && exec "$@"`,
          folder,
          command,
          ...args,
        ],
        { env: { ...baseEnvironment, ...env }, cwd: join(import.meta.dirname, '../..'), detached: true },
      ),
    seenFrom: ({ pid }) => `/proc/${pid}/root${folder}`,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
