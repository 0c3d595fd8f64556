/**
 * Searching by folded titles and paths. Keys and index entries that earlier versions wrote are renewed while the wiki is served:
 * `search_renewal` has a row until that is done.
 */
import type { SchemaWords } from '../engine.ts';

export const name = '0005-folded-names';

export function statements({ id, integer, text, rows, foldedNames }: SchemaWords): string[] {
  return [
    `alter table pages add column path_fold ${text}`,
    // Most paths equal their folded form.
    'create index pages_by_path_fold on pages (path_fold, id, audience, owner_id) where path_fold is not null',
    ...foldedNames,
    `create table search_renewal (id ${id}, after_id ${integer} not null)${rows}`,
    // Nothing is to be renewed in a new wiki.
    'insert into search_renewal (after_id) select 0 where exists (select 1 from changes)',
  ];
}
