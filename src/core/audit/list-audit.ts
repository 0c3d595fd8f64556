/** The audit log: listing it for administrators, and removing old entries. */
import { administratorOf, type Operator } from '../members/get-administrator.ts';
import type { AuditEntry } from '../model/audit-entry.ts';
import { type AuditKind, auditKinds, isAuditKind } from '../model/audit-kinds.ts';
import { invalid } from '../model/problem.ts';
import type { Store } from '../ports/store.ts';
import { dayMs } from '../trash/purge-trash.ts';

export interface AuditQuery {
  /** Kinds, separated by commas. */
  kind?: string | undefined;
  /** ID of a member. */
  member?: number | undefined;
  limit: number;
}

/**
 * Position at which a list continues: after an entry (oldest first), or before one (newest first); `latest` starts with the
 * newest.
 */
export type AuditPlace = { after: number } | { before: number | 'latest' };

/** Refuses `unauthenticated`, `administrators-only`, and `invalid` at `/kind` for an unknown kind. */
export async function listAudit(
  store: Store,
  actor: Operator,
  place: AuditPlace,
  { kind, member, limit }: AuditQuery,
): Promise<AuditEntry[]> {
  await administratorOf(store, actor);
  const filter = {
    ...(kind === undefined ? {} : { kinds: readKinds(kind) }),
    ...(member === undefined ? {} : { memberId: member }),
  };
  if ('after' in place) return store.audit.listAfter(place.after, limit, filter);
  const before = place.before === 'latest' ? undefined : place.before;
  return store.audit.listBefore(before, limit, filter);
}

function readKinds(text: string): AuditKind[] {
  const kinds = text.split(',').map((one) => one.trim());
  const unknown = kinds.find((kind) => !isAuditKind(kind));
  if (unknown === undefined) return kinds as AuditKind[];
  throw invalid('/kind', `“${unknown}” is not one of: ${Object.keys(auditKinds).join(', ')}.`);
}

/** Failed sign-ins are numerous, and useful only for a limited time. */
const failuresKeptDays = 90;
const forgottenAtOnce = 5000;

/** Removes a batch of entries older than `days`; 0 keeps all but failed sign-ins. Returns how many were removed. */
export async function forgetOldEntries(store: Store, days: number, now: number): Promise<number> {
  const failures = await store.audit.forget(
    now - failuresKeptDays * dayMs,
    forgottenAtOnce,
    'sign-in-failed',
  );
  return failures + (days === 0 ? 0 : await store.audit.forget(now - days * dayMs, forgottenAtOnce));
}
