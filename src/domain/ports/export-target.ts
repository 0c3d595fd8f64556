/** Target of scheduled exports: a folder or a bucket. A file has its name once all of it is there. */
export interface ExportTarget {
  put(name: string, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void>;
  /** Names of all files in it. */
  list(): Promise<string[]>;
  remove(name: string): Promise<void>;
}
