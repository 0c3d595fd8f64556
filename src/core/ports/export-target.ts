/** Target of scheduled exports: a folder or a bucket. A file gets its name only when it is complete. */
export interface ExportTarget {
  put(name: string, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void>;
  /** Names of all files in the target. */
  list(): Promise<string[]>;
  remove(name: string): Promise<void>;
}
