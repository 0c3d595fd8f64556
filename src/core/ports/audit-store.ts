/** Store port of the audit log. No method changes entries or removes them early. */
import type { AuditEntry, NewAuditEntry } from '../model/audit-entry.ts';
import type { AuditKind } from '../model/audit-kinds.ts';

export interface AuditFilter {
  kinds?: readonly AuditKind[];
  /** Entries caused by this member, and those about their account. */
  memberId?: number;
}

export interface AuditStore {
  /**
   * Adds an entry in the transaction of its action, so that both are committed or neither. Time, IP address and, unless
   * `actorId` is given, the member come from the request that started the transaction.
   */
  record(entry: NewAuditEntry): Promise<void>;
  /**
   * Counts a failed sign-in: one entry for each account and address per hour, and a single entry for all others once an hour
   * has `maxEntries`. `memberId`: null for an unknown address.
   */
  countFailure(failure: FailedSignIn, maxEntries: number): Promise<void>;
  /** Entries after this position in commit order, oldest first. */
  listAfter(position: number, limit: number, filter: AuditFilter): Promise<AuditEntry[]>;
  /** Entries before this position, or the latest ones, newest first. */
  listBefore(position: number | undefined, limit: number, filter: AuditFilter): Promise<AuditEntry[]>;
  /**
   * Retention: removes some entries older than this moment, optionally of one kind, but never the latest entry of all. Returns
   * their number.
   */
  forget(before: number, limit: number, kind?: AuditKind): Promise<number>;
}

export interface FailedSignIn {
  memberId: number | null;
  from: string;
  via: 'site' | 'api';
  at: number;
}
