/** Order of pages among their siblings, as members arrange them. */
import type { SchemaWords } from '../engine.ts';

export const name = '0009-order';

export function statements({ integer }: SchemaWords): string[] {
  return [
    ...['pages', 'trashed_pages'].map(
      (table) => `alter table ${table} add column sibling_rank ${integer} not null default 2000000000`,
    ),
    'drop index pages_by_parent',
    'create index pages_by_parent on pages (parent_id, sibling_rank, sort_key, id, audience, owner_id)',
  ];
}
