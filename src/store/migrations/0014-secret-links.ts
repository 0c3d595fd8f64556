/** Secret links, by which strangers read a page. */
import type { SchemaWords } from '../engine.ts';

export const name = '0014-secret-links';

export function statements({ id, integer, text, truth }: SchemaWords): string[] {
  return [
    `create table secret_links (
      id ${id},
      secret_hash ${text} not null unique,
      page_id ${integer} not null,
      beneath ${truth} not null,
      made_by ${integer} not null references members (id),
      audience ${integer} not null,
      created_at ${integer} not null,
      expires_at ${integer},
      last_used_at ${integer},
      uses ${integer} not null
    )`,
    'create index secret_links_by_page on secret_links (page_id, id)',
  ];
}
