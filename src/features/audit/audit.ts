/** Rules of the audit log: its filter, and how long entries are kept. Entries and their port are in the core, which writes them. */

import { type AuditKind, auditKinds, isAuditKind } from '#core/model/audit-kinds.ts';
import { dayMs } from '#core/model/iso-time.ts';
import { invalid } from '#core/model/problem.ts';
import type { Store } from '#core/ports/store.ts';
import { say } from '#words/say.ts';

/** Kinds, separated by commas. Refuses `invalid` for an unknown one. */
export function readKinds(text: string): AuditKind[] {
  const kinds = text.split(',').map((one) => one.trim());
  const unknown = kinds.find((kind) => !isAuditKind(kind));
  if (unknown === undefined) return kinds as AuditKind[];
  throw invalid('/kind', say('problem.isNotOneOf2', { unknown, auditKinds: auditKinds.join(', ') }));
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
