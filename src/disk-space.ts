/** How much room a disk has, as the system tells it. */
import { statfsSync } from 'node:fs';
import type { DiskSpace } from './domain/ports/disk-space.ts';

/** Of the disk that `folder` lies on; takes some microseconds. Undefined if the folder is gone or the system does not say. */
export function spaceOf(folder: string): DiskSpace | undefined {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return blocks > 0 ? { freeBytes: bavail * bsize, totalBytes: blocks * bsize } : undefined;
  } catch {
    return undefined;
  }
}
