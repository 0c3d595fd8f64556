/** Stems of Hebrew and Polish words, and better ones in other languages. Pages indexed before are renewed (`core/maintenance/renew-search.ts`). */
export const name = '0034-more-stems';

export function statements(): string[] {
  return [
    'delete from search_renewal',
    'insert into search_renewal (after_id) select 0 where exists (select 1 from changes)',
  ];
}
