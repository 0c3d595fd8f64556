/** Cached response bodies: recently used ones in memory, evicted ones on disk. */
import { Readable } from 'node:stream';
import { BoundedCache } from '#cache/bounded-cache.ts';
import type { Extent, SpillFile } from '#cache/spill-file.ts';

/** Maximum total size in memory. */
const maxBytes = 12_000_000;
/** Longer bodies are on disk only: in memory, each would be garbage that only a major collection finds. */
export const longestInMemory = 256_000;
/** Size of a chunk; a connection buffers this much before it applies backpressure. */
const pieceBytes = 65_536;
/** Every 16th read of a small body from disk puts it back into memory, so that popular bodies return. */
const broughtBackEvery = 16;
/** Longer bodies return more rarely, because each evicts others. */
const broughtBackBytes = 2048;

/** Metadata of a body that is in memory, on disk, or gone. */
export interface CachedBody {
  length: number;
  place: Extent | undefined;
  readsFromDisk: number;
  /** Value of the spill file's `emptied` counter when the body was made. */
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

  /** `bytes` must have the entry's length, and not be a slice of a larger buffer. */
  set(entry: CachedBody, bytes: Buffer): void {
    if (bytes.length > longestInMemory) {
      this.setOnDisk(entry, bytes);
      return;
    }
    entry.emptied ??= this.#spillFile?.emptied;
    this.#inMemory.set(entry, bytes, bytes.length);
  }

  /** Only on disk; `bytes` may be overwritten afterwards. Returns whether there is room. */
  setOnDisk(entry: CachedBody, bytes: Buffer): boolean {
    entry.emptied ??= this.#spillFile?.emptied;
    if (entry.emptied !== this.#spillFile?.emptied) return false;
    entry.place = this.#spillFile?.put(bytes);
    return entry.place !== undefined;
  }

  delete(entry: CachedBody): void {
    this.#inMemory.delete(entry);
  }

  /** Returns undefined if the body is gone. */
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

  /** For bodies that are too long for memory. Returns undefined if the body is gone. */
  open(entry: CachedBody): CachedBodyStream | undefined {
    if (!entry.place || !this.#spillFile?.has(entry.place)) return undefined;
    return new CachedBodyStream(entry, (into, from) => this.#read(entry, into, from));
  }

  /** For composing a longer body: parts on disk are read when they are copied. Returns undefined if the part is gone. */
  part(entry: CachedBody): BytesPart | undefined {
    const { place, length } = entry;
    const copy = (into: Buffer, at: number) =>
      this.#read(entry, into.subarray(at, at + length), 0) ? length : 0;
    return this.#inMemory.get(entry) ?? (place && this.#spillFile?.has(place) ? { length, copy } : undefined);
  }

  /**
   * Writes a long body to disk before it is sent, so that a slow client needs only one chunk of memory. `bytes`: a buffer that
   * nobody else uses afterwards.
   */
  spill(bytes: Buffer): Buffer | CachedBodyStream {
    if (bytes.length <= longestInMemory) return bytes;
    const entry = { length: bytes.length, place: this.#spillFile?.put(bytes), readsFromDisk: 0 };
    const stream = this.open(entry);
    // Frees the buffer at once: otherwise 10 MB for each list would cause a major garbage collection every few lists.
    if (stream) (bytes.buffer as ArrayBuffer).transfer(0);
    return stream ?? bytes;
  }

  #read(entry: CachedBody, into: Buffer, from: number): boolean {
    if (entry.place && this.#spillFile?.read(entry.place, into, from)) return true;
    entry.place = undefined;
    return false;
  }
}

/** Reads at the speed of sending, and fails if the body is overwritten meanwhile. */
export class CachedBodyStream extends Readable {
  readonly entry: CachedBody;
  readonly #read: (into: Buffer, from: number) => boolean;
  /** Two halves used in turn: new buffers for all chunks would double the time for a list of 10 MB. */
  readonly #pair: Buffer;
  #pieces = 0;

  constructor(entry: CachedBody, read: (into: Buffer, from: number) => boolean) {
    // No read-ahead: when a half is reused, its previous content has been passed to the system.
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
    else this.destroy(new Error('A file on disk was overwritten while it was being sent.'));
  }
}

/** Copies the bytes, because a slice would keep the whole shared block in memory. */
export function ownBuffer(bytes: string | Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(Buffer.byteLength(bytes));
  if (typeof bytes === 'string') own.write(bytes);
  else bytes.copy(own);
  return own;
}

/** Bytes, or an object that can copy them; `copy` returns the number of copied bytes. */
export interface BytesPart {
  length: number;
  copy(into: Buffer, at: number): number;
}

/** Builds a JSON array in its own buffer. `items`: the parts of each. Returns undefined if a part is gone. */
export function jsonArray(items: readonly (readonly Buffer[])[]): Buffer;
export function jsonArray(items: readonly (readonly BytesPart[])[]): Buffer | undefined;
export function jsonArray(items: readonly (readonly BytesPart[])[]): Buffer | undefined {
  const parts = items.flatMap((item, i) => (i === 0 ? item : [comma, ...item]));
  const all = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 2));
  let at = all.write('[');
  let isWhole = true;
  for (const part of parts) {
    // Continues to the end, so that all missing parts are found.
    if (part.copy(all, at) < part.length) isWhole = false;
    at += part.length;
  }
  all.write(']', at);
  return isWhole ? all : undefined;
}

const comma = Buffer.from(',');
