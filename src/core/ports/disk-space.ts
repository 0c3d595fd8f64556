/** Disk space reserved for data that cannot be recomputed, and the threshold for low space. */

export interface DiskSpace {
  /** Bytes available to this process. */
  freeBytes: number;
  totalBytes: number;
}

/** Returns undefined if the system does not report it. */
export type AskSpace = () => DiskSpace | undefined;

const mostReserved = 1_000_000_000;

/** Bytes that the disk cache leaves free for data that cannot be recomputed: a tenth of the disk, at most 1 GB. */
export function reservedBytes({ totalBytes }: DiskSpace): number {
  return Math.min(mostReserved, totalBytes / 10);
}

/** Whether disposable data should be deleted. */
export function isLow(space: DiskSpace): boolean {
  return space.freeBytes < reservedBytes(space) / 2;
}
