/** Bytes that were made before: what was used last is in memory, what was pushed out of there lies on disk. */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { BoundedCache } from '#cache/bounded-cache.ts';
import type { Extent, SpillFile } from '#cache/spill-file.ts';
import { BufferPool } from './buffer-pool.ts';

/** In memory. */
const maxBytes = 12_000_000;
/** Longer bodies are on disk only. */
export const longestInMemory = maxBytes / 8;
/** In which that is sent: more than a connection takes without stopping its source (64 kB in Node). */
const pieceBytes = 131_072;
/**
 * Every so manieth read from disk returns to memory, so that popular bodies return, because a few of them bring in most
 * reads.
 */
const broughtBackEvery = 16;
/** Long bodies return more rarely: each evicts as much, which is garbage until a major collection. */
const broughtBackBytes = 2048;

/** Metadata of bytes that are in memory, on disk, or gone. */
export interface CachedBody {
  length: number;
  place: Extent | undefined;
  readsFromDisk: number;
}

export class CachedBodies {
  readonly #spillFile: SpillFile | undefined;
  readonly #inMemory: BoundedCache<Buffer, CachedBody>;
  readonly #pairsOfPieces = new BufferPool(2 * pieceBytes);

  constructor(spillFile: SpillFile | undefined) {
    this.#spillFile = spillFile;
    this.#inMemory = new BoundedCache(maxBytes, (bytes, entry) => {
      entry.place ??= spillFile?.put(bytes);
    });
  }

  /** `bytes`: as many as the entry says, and no part of anything larger. */
  set(entry: CachedBody, bytes: Buffer): void {
    this.#inMemory.set(entry, bytes, bytes.length);
  }

  delete(entry: CachedBody): void {
    this.#inMemory.delete(entry);
  }

  /** Undefined if they are gone. `allocate`: where those go that are read from disk and are not to stay in memory. */
  get(entry: CachedBody, allocate: (length: number) => Buffer = Buffer.allocUnsafeSlow): Buffer | undefined {
    const bytes = this.#inMemory.get(entry);
    const { place, length } = entry;
    if (bytes || !place) return bytes;
    const every = Math.max(broughtBackEvery, Math.ceil(length / broughtBackBytes));
    const isToCome = ++entry.readsFromDisk % every === 0;
    const into = isToCome ? Buffer.allocUnsafeSlow(length) : allocate(length).subarray(0, length);
    const isThere = this.#read(entry, into, 0);
    if (isThere && isToCome) this.set(entry, into);
    return isThere ? into : undefined;
  }

  /** On disk alone, so that `bytes` may be overwritten; undefined if there is no room. */
  putAside(bytes: Buffer): CachedBody | undefined {
    const place = this.#spillFile?.put(bytes);
    return place && { length: bytes.length, place, readsFromDisk: 0 };
  }

  /** For what is too long for memory. Undefined if it is gone. */
  open(entry: CachedBody): CachedBodyStream | undefined {
    if (!this.#read(entry, Buffer.allocUnsafe(1), 0)) return undefined;
    return new CachedBodyStream(entry.length, this.#pairsOfPieces, (into, from) =>
      this.#read(entry, into, from),
    );
  }

  #read(entry: CachedBody, into: Buffer, from: number): boolean {
    if (entry.place && this.#spillFile?.read(entry.place, into, from)) return true;
    entry.place = undefined;
    return false;
  }
}

/** Reads as fast as it is sent, and fails if it is overwritten meanwhile. */
export class CachedBodyStream extends Readable {
  readonly length: number;
  readonly #pool: BufferPool;
  readonly #read: (into: Buffer, from: number) => boolean;
  /** Halves taken in turn: when one is read to again, what was in it is with the system, as the next piece was asked for since. */
  #pair: Buffer | undefined;
  #pieces = 0;

  /** `pool`: of buffers for two pieces each. */
  constructor(length: number, pool: BufferPool, read: (into: Buffer, from: number) => boolean) {
    // Nothing is read before it is asked for.
    super({ highWaterMark: 0 });
    this.length = length;
    this.#pool = pool;
    this.#read = read;
  }

  /** Gives its memory back when all is with the system or the connection is gone; else it would wait for the collector. */
  releaseAfter(response: ServerResponse): void {
    response.once('close', () => {
      if (this.#pair) this.#pool.release(this.#pair);
      this.#pair = undefined;
    });
  }

  override _read(): void {
    const from = this.#pieces * pieceBytes;
    const left = Math.min(pieceBytes, this.length - from);
    if (left <= 0) {
      this.push(null);
      return;
    }
    this.#pair ??= this.#pool.take(2 * pieceBytes);
    const at = (this.#pieces++ % 2) * pieceBytes;
    const piece = this.#pair.subarray(at, at + left);
    if (this.#read(piece, from)) this.push(piece);
    else this.destroy(new Error('What was being sent has been overwritten on disk.'));
  }
}

/** Not a slice of a block that is shared with others: a small body in the cache would keep all of that in memory. */
export function ownBuffer(bytes: string | Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(Buffer.byteLength(bytes));
  if (typeof bytes === 'string') own.write(bytes);
  else bytes.copy(own);
  return own;
}
