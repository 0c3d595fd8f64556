/** Pages that are translations of others. */
import type { SchemaWords } from '../engine.ts';

export const name = '0017-translations';

export function statements({ integer }: SchemaWords): string[] {
  return [
    ...['pages', 'trashed_pages'].flatMap((table) =>
      ['original_id', 'rendered_id'].map((column) => `alter table ${table} add column ${column} ${integer}`),
    ),
    'create index pages_of_original on pages (original_id, id) where original_id is not null',
    // To list the translations into a language.
    'create index pages_translated on pages (language, id) where original_id is not null',
  ];
}
