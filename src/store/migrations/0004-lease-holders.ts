/** Holders of leases, so that a lease ends with the process that holds it. */
import type { SchemaWords } from '../engine.ts';

export const name = '0004-lease-holders';

const leased = ['idempotency_keys', 'imports', 'scheduled_exports', 'mails', 'webhooks', 'watched_events'];

export function statements({ text }: SchemaWords): string[] {
  return leased.flatMap((table) => [
    `alter table ${table} add column holder ${text}`,
    // Only the few rows that are leased now.
    `create index ${table}_held on ${table} (holder) where holder is not null`,
  ]);
}
