/** The part of the port to the database that keeps imports begun over HTTP. The rules on top of `store.ts` hold. */

export type ImportState = 'running' | 'done' | 'failed' | 'cancelled';

export interface ImportJob {
  id: number;
  state: ImportState;
  memberId: number;
  done: number;
  /** Null while the source is still being read. */
  total: number | null;
  begunAt: number;
  /** Why it failed. */
  error: string | null;
  /** JSON of the certificate. */
  certificate: string | null;
}

export interface ImportStore {
  /** Undefined while another one runs. One whose process has told nothing since `dead.before` has failed with `dead.error`. */
  begin(memberId: number, at: number, dead: { before: number; error: string }): Promise<number | undefined>;
  find(id: number, dead: { before: number; error: string }): Promise<ImportJob | undefined>;
  /** The latest ones, latest first, without their certificates. */
  list(limit: number, dead: { before: number; error: string }): Promise<Omit<ImportJob, 'certificate'>[]>;
  /** Renews the import's sign of life. Returns whether it should go on. */
  renew(id: number, progress: { done: number; total: number | null }, at: number): Promise<boolean>;
  /** Ends a running import. False if it was not running. */
  end(
    id: number,
    end: { state: 'done'; certificate: string } | { state: 'failed'; error: string } | { state: 'cancelled' },
  ): Promise<boolean>;
}
