/** Pages are searched by their emoji as well, and so are renewed. */
export const name = '0033-emoji-terms';

export function statements(): string[] {
  return [
    'delete from search_renewal',
    'insert into search_renewal (after_id) select 0 where exists (select 1 from changes)',
  ];
}
