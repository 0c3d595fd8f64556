/**
 * The port to room outside of memory for what can be made again: pages drawn, answers given. Nothing in it outlives the
 * process, and anything in it may be gone when it is asked for.
 */

/** Position and length of something, in bytes. */
export interface Place {
  /** Position among all bytes that were ever stored. */
  at: number;
  length: number;
}

export interface Scratch extends Disposable {
  /** Bytes that it takes on disk. */
  readonly size: number;
  /** Gives its room back to the disk at once: nothing that was put is there any more. Never throws. */
  empty(): void;
  /** Undefined where there is no room for it. Never throws. */
  put(bytes: Uint8Array): Place | undefined;
  /** Reads from its byte `from` on what is left of it or fits; false if it is not there any more. Never throws. */
  read(place: Place, into: Uint8Array, from?: number): boolean;
}
