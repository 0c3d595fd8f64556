/**
 * The port to room outside of memory for what can be recomputed: renderings, response bodies. Nothing in it outlives the
 * process, and anything in it may be gone when it is asked for.
 */

/** Position and length of something, in bytes. */
export interface Extent {
  /** Position among all bytes that were ever stored. */
  at: number;
  length: number;
}

export interface SpillFile extends Disposable {
  /** Bytes that it takes on disk. */
  readonly size: number;
  /** How often it was emptied: what was made before must not be put there later, as it may have been erased since. */
  readonly emptied: number;
  /** Gives its room back to the disk at once: nothing that was put is there any more. Never throws. */
  empty(): void;
  /** Undefined where there is no room for it. Never throws. */
  put(bytes: Uint8Array): Extent | undefined;
  /** Whether the bytes are still there: later ones overwrite them. */
  has(place: Extent): boolean;
  /** Reads from its byte `from` on what is left of it or fits; false if it is not there any more. Never throws. */
  read(place: Extent, into: Uint8Array, from?: number): boolean;
}
