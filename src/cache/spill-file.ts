/**
 * Port to disk space for values that can be recomputed: renderings and response bodies. Its content does not outlive the
 * process, and any entry may be gone at any time.
 */

/** Position and length, in bytes. */
export interface Extent {
  /** Position in the sequence of all bytes ever stored. */
  at: number;
  length: number;
}

export interface SpillFile extends Disposable {
  /** Bytes used on disk. */
  readonly size: number;
  /**
   * Number of times it was emptied. A value computed before the last time must not be stored afterwards, because it may have
   * been erased.
   */
  readonly emptied: number;
  /** Frees the disk space at once; all entries are gone. Never throws. */
  empty(): void;
  /** Returns undefined if there is no room. Never throws. */
  put(bytes: Uint8Array): Extent | undefined;
  /** Whether the bytes are still there; later ones overwrite them. */
  has(place: Extent): boolean;
  /** Reads from the entry's byte `from` as much as remains or fits. Returns false if the entry is gone. Never throws. */
  read(place: Extent, into: Uint8Array, from?: number): boolean;
}
