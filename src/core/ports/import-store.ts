/** Store port of imports started over HTTP. The rules in `store.ts` apply. */

import type { Actor } from '../model/permission.ts';

type ImportState = 'running' | 'done' | 'failed' | 'cancelled';

export interface ImportJob {
  id: number;
  state: ImportState;
  memberId: number;
  done: number;
  /** Null while the source is being read. */
  total: number | null;
  begunAt: number;
  /** Reason for the failure. */
  error: string | null;
  /** The certificate as JSON. */
  certificate: string | null;
}

export interface ImportStore {
  /**
   * Starts an import and returns its ID, or undefined while another one runs. An import whose process has not renewed it since
   * `dead.before` is marked as failed with `dead.error`.
   */
  begin(memberId: number, at: number, dead: { before: number; error: string }): Promise<number | undefined>;
  find(id: number, dead: { before: number; error: string }): Promise<ImportJob | undefined>;
  /** The latest imports, latest first, without their certificates. */
  list(limit: number, dead: { before: number; error: string }): Promise<Omit<ImportJob, 'certificate'>[]>;
  /** Records progress and renews the claim on the import. Returns whether it should go on. */
  renew(id: number, progress: { done: number; total: number | null }, at: number): Promise<boolean>;
  /** Ends a running import. Returns false if it was not running. */
  end(
    id: number,
    end: { state: 'done'; certificate: string } | { state: 'failed'; error: string } | { state: 'cancelled' },
  ): Promise<boolean>;
}

/** Imports that a server runs. Faces ask for the rights of an administrator. */
export interface ImportJobs {
  /** Resolves to its ID when the upload is complete. `receive` answers the options. */
  begin(actor: NonNullable<Actor>, receive: ReceiveUpload): Promise<number>;
  /** Starts another import with the upload of an earlier one, which is moved to it. */
  again(actor: NonNullable<Actor>, id: number, changes: object): Promise<number>;
  get(id: number): Promise<ImportJob>;
  /** The latest imports, without certificates. */
  list(): Promise<Omit<ImportJob, 'certificate'>[]>;
  /** Options of its upload; undefined after the upload was deleted. */
  uploadOf(id: number): Promise<object | undefined>;
  /** Stops a running import after the current page, or deletes the upload of a finished one. */
  cancel(id: number): Promise<void>;
}

export type ReceiveUpload = (write: (bytes: AsyncIterable<Uint8Array>) => Promise<void>) => Promise<object>;
