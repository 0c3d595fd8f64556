/** Exports that are made every few hours, by one of the processes that share a database. */
import type { SchemaWords } from '../engine.ts';

export const name = '0029-scheduled-exports';

export function statements({ integer, text, rows }: SchemaWords): string[] {
  return [
    `create table scheduled_exports (
      format ${text} primary key,
      state ${text} not null,
      begun_at ${integer} not null,
      seen_at ${integer} not null,
      succeeded_at ${integer},
      failures ${integer} not null default 0
    )${rows}`,
  ];
}
