/**
 * Ports to the storage of file bytes, and to the detection of file types. Bytes are addressed by content (SHA-256, hex), so a
 * file never changes in place and duplicates are stored once.
 */
import type { StoredBlob } from '../model/file.ts';
import type { WriteFailure } from './store.ts';

export interface FoundBlob {
  hash: string;
  sizeBytes: number;
  /** Milliseconds since 1970; protects young files of uploads in progress from being swept. */
  storedAt: number;
}

/** All methods refuse `unavailable` while the storage does not respond; an open stream ends with that error. */
export interface FileStore {
  /**
   * Stores at most `maxBytes` (refuses `too-large` and leaves nothing behind). When it returns, the bytes are durable; until
   * then nothing is found under their hash. Storing existing bytes again renews `storedAt`.
   */
  put(bytes: AsyncIterable<Uint8Array> | Uint8Array, maxBytes: number): Promise<StoredBlob>;
  /** The bytes from `start` to `end` inclusive, as a Node Readable; undefined if the hash is unknown. */
  open(hash: string, range?: { start: number; end: number }): Promise<AsyncIterable<Uint8Array> | undefined>;
  find(hash: string): Promise<FoundBlob | undefined>;
  /**
   * Removes the bytes if they were last stored before `storedBefore` (milliseconds since 1970), and returns whether it did. On
   * disk a concurrent upload of the same bytes is never lost. A bucket has no such condition, so there an upload that ends in
   * the milliseconds between two of our requests could be lost.
   */
  remove(hash: string, storedBefore?: number): Promise<boolean>;
  /** Reason why nothing can be stored now, as far as it can be told without storing. */
  trouble(): Promise<WriteFailure | undefined>;
  /** All stored blobs, with a limited number in memory at a time. */
  list(): AsyncIterable<FoundBlob>;
}

/** Detected type of the bytes, independent of their name. */
interface Identified {
  /** MIME type as it is served; text includes its charset. */
  mime: string;
  /** Size in pixels of images that can have a thumbnail. */
  dimensions: { width: number; height: number } | null;
}

export interface FileProbe {
  /** Detects the type of stored bytes. `filename` only distinguishes kinds of plain text, which have no signature. */
  identify(store: FileStore, hash: string, filename: string): Promise<Identified>;
  /**
   * Makes and stores a thumbnail of at most 400 × 400 px: first frame, EXIF orientation applied, metadata stripped, WebP (also
   * for PNG and JPEG sources). Returns undefined if the bytes are no readable image or exceed the pixel limit.
   */
  thumbnail(
    store: FileStore,
    hash: string,
  ): Promise<(StoredBlob & { mime: string; width: number; height: number }) | undefined>;
}

/** URL path of a file or thumbnail. */
export function fileUrl(name: string): string {
  return `/files/${encodeURIComponent(name)}`;
}

/** A MIME type in lower case without parameters: `text/plain` for `text/plain; charset=utf-8`. */
export function bareType(mime: string): string {
  return mime.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export interface Files {
  store: FileStore;
  probe: FileProbe;
}
