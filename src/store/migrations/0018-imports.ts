/** Imports that administrators began over HTTP. */
import type { SchemaWords } from '../engine.ts';

export const name = '0018-imports';

export function statements({ id, integer, text, rows }: SchemaWords): string[] {
  return [
    `create table imports (
      id ${id},
      state ${text} not null,
      member_id ${integer} not null,
      done ${integer} not null default 0,
      total ${integer},
      begun_at ${integer} not null,
      seen_at ${integer} not null,
      error ${text},
      certificate ${text}
    )${rows}`,
    "create unique index imports_running on imports (state) where state = 'running'",
  ];
}
