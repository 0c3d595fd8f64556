/** Free and total space of a disk, as the system reports it. */
import { statfsSync } from 'node:fs';
import type { DiskSpace } from '#core/ports/disk-space.ts';

/**
 * Space of the disk that holds `folder`; takes a few microseconds. Returns undefined if the folder is gone or the system does
 * not report it.
 */
export function spaceOf(folder: string): DiskSpace | undefined {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return blocks > 0 ? { freeBytes: bavail * bsize, totalBytes: blocks * bsize } : undefined;
  } catch {
    return undefined;
  }
}
