/** Pages that members starred. */
import type { SchemaWords } from '../engine.ts';

export const name = '0019-favourites';

export function statements({ integer, rowsByKey }: SchemaWords): string[] {
  return [
    `create table favourites (
      member_id ${integer} not null,
      page_id ${integer} not null,
      at ${integer} not null,
      primary key (member_id, page_id)
    )${rowsByKey}`,
    'create index favourites_by_page on favourites (page_id)',
  ];
}
