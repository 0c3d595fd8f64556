/** How much of a disk is left alone by what can be recomputed, and when its room counts as low. */

export interface DiskSpace {
  /** For this process. */
  freeBytes: number;
  totalBytes: number;
}

/** Undefined where the system does not say. */
export type AskSpace = () => DiskSpace | undefined;

const mostReserved = 1_000_000_000;

/** The cache on disk takes nothing of these bytes: they are for what cannot be recomputed. A tenth of the disk, 1 GB at most. */
export function reservedBytes({ totalBytes }: DiskSpace): number {
  return Math.min(mostReserved, totalBytes / 10);
}

/** Disposable data should be freed. */
export function isLow(space: DiskSpace): boolean {
  return space.freeBytes < reservedBytes(space) / 2;
}
