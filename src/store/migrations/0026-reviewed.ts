/** Marks on events that no moderator has reviewed yet. */
import type { SchemaWords } from '../engine.ts';

export const name = '0026-reviewed';

export function statements({ integer, commitOrder }: SchemaWords): string[] {
  return [
    // Events from before there were marks need none.
    `alter table events add column awaits_review ${integer} not null default 0`,
    `create index events_awaiting_review on events (${commitOrder('events').column}) where awaits_review = 1`,
  ];
}
