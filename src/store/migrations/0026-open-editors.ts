/** Members who have pages open for editing. */
import type { SchemaWords } from '../engine.ts';

export const name = '0026-open-editors';

export function statements({ integer, rowsByKey }: SchemaWords): string[] {
  return [
    `create table open_editors (
      page_id ${integer} not null,
      member_id ${integer} not null,
      seen_at ${integer} not null,
      primary key (page_id, member_id)
    )${rowsByKey}`,
    'create index open_editors_by_time on open_editors (seen_at)',
  ];
}
