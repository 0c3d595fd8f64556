/** Bytes that were made before: what was used last is in memory, what was evicted from there lies on disk. */
import { Readable } from 'node:stream';
import { BoundedCache } from '#cache/bounded-cache.ts';
import type { Extent, SpillFile } from '#cache/spill-file.ts';

/** In memory. */
const maxBytes = 12_000_000;
/** Longer bodies are on disk only. */
export const longestInMemory = maxBytes / 8;
/** A connection takes so much before it stops its source. */
const pieceBytes = 65_536;
/** Every so manieth read from disk returns a small body to memory, so that popular bodies return. */
const broughtBackEvery = 16;
/** Long bodies return more rarely, because each evicts as much. */
const broughtBackBytes = 2048;

/** Metadata of bytes that are in memory, on disk, or gone. */
export interface CachedBody {
  length: number;
  place: Extent | undefined;
  readsFromDisk: number;
  /** That of the spill file when it was made. */
  emptied?: number | undefined;
}

export class CachedBodies {
  readonly #spillFile: SpillFile | undefined;
  readonly #inMemory: BoundedCache<Buffer, CachedBody>;

  constructor(spillFile: SpillFile | undefined) {
    this.#spillFile = spillFile;
    this.#inMemory = new BoundedCache(maxBytes, (bytes, entry) => {
      if (entry.emptied === spillFile?.emptied) entry.place ??= spillFile?.put(bytes);
    });
  }

  /** `bytes`: as many as the entry says, and no part of anything larger. */
  set(entry: CachedBody, bytes: Buffer): void {
    entry.emptied ??= this.#spillFile?.emptied;
    this.#inMemory.set(entry, bytes, bytes.length);
  }

  delete(entry: CachedBody): void {
    this.#inMemory.delete(entry);
  }

  /** Undefined if they are gone. */
  get(entry: CachedBody): Buffer | undefined {
    const bytes = this.#inMemory.get(entry);
    const { place, length } = entry;
    if (bytes || !place) return bytes;
    const read = Buffer.allocUnsafeSlow(length);
    if (!this.#read(entry, read, 0)) return undefined;
    const every = Math.max(broughtBackEvery, Math.ceil(length / broughtBackBytes));
    if (++entry.readsFromDisk % every === 0) this.set(entry, read);
    return read;
  }

  /** For what is too long for memory. Undefined if it is gone. */
  open(entry: CachedBody): CachedBodyStream | undefined {
    if (!entry.place || !this.#spillFile?.has(entry.place)) return undefined;
    return new CachedBodyStream(entry, (into, from) => this.#read(entry, into, from));
  }

  /** For bytes that are to become part of a longer body: those on disk are read when they are copied. Undefined if they are gone. */
  part(entry: CachedBody): BytesPart | undefined {
    const { place, length } = entry;
    const copy = (into: Buffer, at: number) =>
      this.#read(entry, into.subarray(at, at + length), 0) ? length : 0;
    return this.#inMemory.get(entry) ?? (place && this.#spillFile?.has(place) ? { length, copy } : undefined);
  }

  /**
   * A long body goes to disk before it is sent, so that a slow reader takes no more memory than a piece of it. `bytes`: a buffer of
   * their own, for nobody else to use afterwards.
   */
  spill(bytes: Buffer): Buffer | CachedBodyStream {
    if (bytes.length <= longestInMemory) return bytes;
    const entry = { length: bytes.length, place: this.#spillFile?.put(bytes), readsFromDisk: 0 };
    const stream = this.open(entry);
    // Left to the collector, 10 MB for each list would bring about a major collection every few lists.
    if (stream) (bytes.buffer as ArrayBuffer).transfer(0);
    return stream ?? bytes;
  }

  #read(entry: CachedBody, into: Buffer, from: number): boolean {
    if (entry.place && this.#spillFile?.read(entry.place, into, from)) return true;
    entry.place = undefined;
    return false;
  }
}

/** Reads as fast as it is sent, and fails if it is overwritten meanwhile. */
export class CachedBodyStream extends Readable {
  readonly entry: CachedBody;
  readonly #read: (into: Buffer, from: number) => boolean;
  /** Halves used in turn: new buffers for all pieces would double the time that a list of 10 MB takes. */
  readonly #pair: Buffer;
  #pieces = 0;

  constructor(entry: CachedBody, read: (into: Buffer, from: number) => boolean) {
    // Nothing is read ahead: when a half is read to again, the system has what was in it.
    super({ highWaterMark: 0 });
    this.entry = entry;
    this.#read = read;
    this.#pair = Buffer.allocUnsafeSlow(2 * pieceBytes);
  }

  get length(): number {
    return this.entry.length;
  }

  override _read(): void {
    const from = this.#pieces * pieceBytes;
    if (from >= this.length) {
      this.push(null);
      return;
    }
    const at = (this.#pieces++ % 2) * pieceBytes;
    const piece = this.#pair.subarray(at, at + Math.min(pieceBytes, this.length - from));
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

/** Bytes, or something that can copy them: `copy` says how many it has copied. */
export interface BytesPart {
  length: number;
  copy(into: Buffer, at: number): number;
}

/** A JSON array, in a buffer of its own. `items`: the parts of each. Undefined if a part cannot be copied any more. */
export function jsonArray(items: readonly (readonly Buffer[])[]): Buffer;
export function jsonArray(items: readonly (readonly BytesPart[])[]): Buffer | undefined;
export function jsonArray(items: readonly (readonly BytesPart[])[]): Buffer | undefined {
  const parts = items.flatMap((item, i) => (i === 0 ? item : [comma, ...item]));
  const all = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 2));
  let at = all.write('[');
  let isWhole = true;
  for (const part of parts) {
    // To the end, so that all missing parts are known to be missing.
    if (part.copy(all, at) < part.length) isWhole = false;
    at += part.length;
  }
  all.write(']', at);
  return isWhole ? all : undefined;
}

const comma = Buffer.from(',');
