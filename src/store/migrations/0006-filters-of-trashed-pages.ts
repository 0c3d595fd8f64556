/** Type, tags and watched searches of pages in the trash, by which their events are filtered. */
import type { SchemaWords } from '../engine.ts';

export const name = '0006-filters-of-trashed-pages';

export function statements({ integer, text, rowsByKey }: SchemaWords): string[] {
  return [
    `alter table trashed_pages add column type ${text}`,
    `create table trashed_tags (
      page_id ${integer} not null references trashed_pages (id) on delete cascade,
      seq ${integer} not null,
      key ${text} not null,
      value ${text} not null,
      value_key ${text} not null,
      primary key (page_id, seq)
    )${rowsByKey}`,
    `create table trashed_searches (
      page_id ${integer} not null references trashed_pages (id) on delete cascade,
      target ${text} not null,
      primary key (page_id, target)
    )${rowsByKey}`,
  ];
}
