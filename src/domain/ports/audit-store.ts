/** The part of the port to the database that keeps the audit log. Nothing in it alters what was recorded, or takes it away before its time. */
import type { AuditEntry, NewAuditEntry } from '../audit/entry.ts';
import type { AuditKind } from '../audit/kinds.ts';

export interface AuditFilter {
  kinds?: readonly AuditKind[];
  /** Entries of this member's doing, and of what was done to their account. */
  memberId?: number;
}

export interface AuditStore {
  /**
   * Adds an entry. Called in the transaction of what it tells, so that neither is there without the other. Time, address and, unless
   * `actorId` is given, the member who did it are those of the request that began the transaction.
   */
  record(entry: NewAuditEntry): Promise<void>;
  /**
   * Counts a failed sign-in: one entry for each account and address in an hour, and one for all others once an hour has `maxEntries` of them.
   * `memberId`: null for an address that nobody has.
   */
  countFailure(failure: FailedSignIn, maxEntries: number): Promise<void>;
  /** Entries after this position, oldest first, which are given in the order of commits. */
  listAfter(position: number, limit: number, filter: AuditFilter): Promise<AuditEntry[]>;
  /** Entries before this position, or the latest, newest first. */
  listBefore(position: number | undefined, limit: number, filter: AuditFilter): Promise<AuditEntry[]>;
  /** Retention: removes some entries from before this moment, never the latest one of all; only of this kind if it is given. How many. */
  forget(before: number, limit: number, kind?: AuditKind): Promise<number>;
}

export interface FailedSignIn {
  memberId: number | null;
  from: string;
  via: 'site' | 'api';
  at: number;
}
