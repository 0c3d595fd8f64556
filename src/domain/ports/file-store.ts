/**
 * The port to where file bytes lie, and to what tells kinds of files apart. Bytes are addressed by content
 * (SHA-256, hex), so a file is never changed in place and storing one twice is storing it once.
 */
import type { WriteTrouble } from './store.ts';

export interface StoredBlob {
  hash: string;
  sizeBytes: number;
  /** MD5 of the bytes, hex: callers may send one to be checked against. */
  md5: string;
}

export interface FoundBlob {
  hash: string;
  sizeBytes: number;
  /** Milliseconds since the epoch, so that young files are not swept from under a running upload. */
  storedAt: number;
}

/** All methods refuse `unavailable` while the storage does not answer; a stream under way ends with that error. */
export interface FileStore {
  /**
   * Takes bytes in, at most `maxBytes` (Problem `too-large`, nothing left behind). When it returns, they are durable, and
   * until then nothing is found under their hash. Storing again what is there renews `storedAt`.
   */
  put(bytes: AsyncIterable<Uint8Array> | Uint8Array, maxBytes: number): Promise<StoredBlob>;
  /** The bytes from `start` to `end` inclusive, as a Node Readable; undefined if there are none under this hash. */
  open(hash: string, range?: { start: number; end: number }): Promise<AsyncIterable<Uint8Array> | undefined>;
  find(hash: string): Promise<FoundBlob | undefined>;
  /**
   * Removes the bytes, if they were last stored before `storedBefore` (milliseconds since the epoch), and says whether it did. On disk an upload of the same
   * bytes at that moment is never lost; in a bucket, which knows no such condition, only one that ends in the milliseconds
   * between two requests of ours could be.
   */
  remove(hash: string, storedBefore?: number): Promise<boolean>;
  /** Why nothing can be stored now, as far as can be told without storing anything. */
  trouble(): Promise<WriteTrouble | undefined>;
  /** Everything stored, a bounded part of it in memory at a time. */
  list(): AsyncIterable<FoundBlob>;
}

/** Detected type of the bytes, independent of their name. */
interface Identified {
  /** Text with its charset, as it is served. */
  mime: string;
  /** In pixels, of images that a thumbnail can be made of. */
  dimensions: { width: number; height: number } | null;
}

export interface FileProbe {
  /** Looks at stored bytes. `filename` only decides between plain-text kinds, which have no signature of their own. */
  identify(store: FileStore, hash: string, filename: string): Promise<Identified>;
  /**
   * Makes and stores a thumbnail that fits 400 × 400 px: first frame, EXIF orientation applied, metadata stripped, WebP
   * (PNG and JPEG sources too). Undefined if the bytes are no image that can be read or exceed the pixel cap.
   */
  thumbnail(
    store: FileStore,
    hash: string,
  ): Promise<(StoredBlob & { mime: string; width: number; height: number }) | undefined>;
}

/** Address of a file or thumbnail. */
export function fileUrl(name: string): string {
  return `/files/${encodeURIComponent(name)}`;
}

/** A MIME type without its parameters, in lower case: `text/plain` of `text/plain; charset=utf-8`. */
export function bareType(mime: string): string {
  return mime.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
