/** How much room a disk has, as the system tells it. */
import { statfsSync } from 'node:fs';
import type { DiskSpace } from './domain/ports/disk-space.ts';

/**
 * Space of the disk that holds `folder`; takes some microseconds. Undefined if the folder is gone or the system does not
 * report it.
 */
export function spaceOf(folder: string): DiskSpace | undefined {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return blocks > 0 ? { freeBytes: bavail * bsize, totalBytes: blocks * bsize } : undefined;
  } catch {
    return undefined;
  }
}
