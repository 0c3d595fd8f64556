/** Place of a continuous copy: a folder or a bucket. An object gets its name only when it is complete. */
export interface CopyPlace {
  put(name: string, bytes: AsyncIterable<Uint8Array> | Uint8Array): Promise<void>;
  /** Undefined if there is no such object. */
  open(name: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Names that begin with `prefix`, in no order. */
  list(prefix: string): AsyncIterable<string>;
  remove(name: string): Promise<void>;
}
