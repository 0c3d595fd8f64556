/** Idempotency keys, and the answers that are returned again for them. */
import type { SchemaWords } from '../engine.ts';

export const name = '0003-idempotency-keys';

export function statements({ id, integer, text, rows }: SchemaWords): string[] {
  return [
    `create table idempotency_keys (
      id ${id},
      member_id ${integer} not null references members (id),
      key ${text} not null,
      fingerprint ${text} not null,
      attempt ${text} not null,
      state ${text} not null,
      begun_at ${integer} not null,
      lease_until ${integer} not null,
      status ${integer},
      headers ${text},
      body ${text},
      bytes ${integer} not null default 0,
      unique (member_id, key)
    )${rows}`,
    'create index idempotency_keys_by_time on idempotency_keys (begun_at)',
    'create index idempotency_keys_by_member on idempotency_keys (member_id, begun_at, bytes)',
  ];
}
