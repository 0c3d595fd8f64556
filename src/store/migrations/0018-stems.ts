/** Stems in the search indexes. Pages that earlier versions wrote are indexed anew while the wiki is served. */
export const name = '0018-stems';

export function statements(): string[] {
  return [
    'delete from search_renewal',
    'insert into search_renewal (after_id) select 0 where exists (select 1 from changes)',
  ];
}
