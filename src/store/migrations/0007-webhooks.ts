/** Webhooks, and the log of what was sent to them. */
import type { SchemaWords } from '../engine.ts';

export const name = '0007-webhooks';

export function statements({ id, integer, text, rows }: SchemaWords): string[] {
  return [
    `create table webhooks (
      id ${id},
      member_id ${integer} not null references members (id),
      url ${text} not null,
      kinds ${text},
      ancestor_id ${integer},
      secret ${text} not null,
      created_at ${integer} not null,
      disabled_at ${integer},
      disabled_reason ${text},
      position ${integer} not null,
      last_success_at ${integer},
      leased_until ${integer},
      leased_by ${text}
    )${rows}`,
    'create index webhooks_by_member on webhooks (member_id)',
    `create table webhook_deliveries (
      id ${id},
      webhook_id ${integer} not null references webhooks (id),
      position ${integer},
      message_id ${text} not null,
      kind ${text} not null,
      created_at ${integer} not null,
      state ${text} not null,
      due_at ${integer},
      attempts ${integer} not null,
      attempted_at ${integer} not null,
      status ${integer},
      answer ${text} not null,
      took_ms ${integer} not null
    )${rows}`,
    'create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, id)',
    'create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, due_at) where due_at is not null',
  ];
}
