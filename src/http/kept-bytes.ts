/** Bytes that were made before: what was used last is in memory, what was pushed out of there lies on disk. */
import { BoundedCache } from '#domain/bounded-cache.ts';
import type { Place, Scratch } from '#domain/scratch.ts';

/** In memory. */
const maxBytes = 12_000_000;
/** Of what is read from disk, each so manieth time comes back to memory: what is asked for often, as few bring in most. */
const broughtBackEvery = 4;
/** What is longer is read once for all who ask meanwhile. */
const maxSmallBytes = 16_384;

/** Of bytes that are in memory, on disk, or gone. */
export interface KeptEntry {
  length: number;
  place: Place | undefined;
  readsFromDisk: number;
  /** What was read from disk and may still be on its way to somebody. */
  lately?: WeakRef<Buffer>;
}

export class KeptBytes {
  readonly #scratch: Scratch | undefined;
  readonly #inMemory: BoundedCache<Buffer, KeptEntry>;

  constructor(scratch: Scratch | undefined) {
    this.#scratch = scratch;
    this.#inMemory = new BoundedCache(maxBytes, (bytes, entry) => {
      entry.place ??= scratch?.put(bytes);
    });
  }

  /** `bytes`: as many as the entry says, and no part of anything larger. */
  set(entry: KeptEntry, bytes: Buffer): void {
    this.#inMemory.set(entry, bytes, bytes.length);
  }

  delete(entry: KeptEntry): void {
    this.#inMemory.delete(entry);
  }

  /** Undefined if they are gone. In `room` if that is large enough and they are not to stay in memory. */
  get(entry: KeptEntry, room?: Buffer): Buffer | undefined {
    const bytes = this.#inMemory.get(entry) ?? entry.lately?.deref();
    const { place, length } = entry;
    if (bytes || !place) return bytes;
    const isToCome = ++entry.readsFromDisk % broughtBackEvery === 0;
    const into =
      room && !isToCome && length <= room.length ? room.subarray(0, length) : Buffer.allocUnsafeSlow(length);
    if (!this.#scratch?.read(place, into)) {
      entry.place = undefined;
      return undefined;
    }
    if (isToCome) this.set(entry, into);
    if (length > maxSmallBytes) entry.lately = new WeakRef(into);
    return into;
  }
}
