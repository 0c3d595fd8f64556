/**
 * The trash. What is deleted leaves `pages` as a row, so that no list, index or query of pages has a condition more; its changes,
 * files, likes and old paths stay where they are, and so belong to a row of either table from now on.
 */
import type { SchemaWords } from '../engine.ts';

export const name = '0005-trash';

/** Tables whose rows outlast the row of their page in `pages`. */
export const unreferenced = ['changes', 'aliases', 'likes', 'files'] as const;

export function statements({ id, integer, text, rows }: SchemaWords): string[] {
  return [
    // Bytes go with the last row that names them.
    'create index files_by_hash on files (hash)',
    'create index files_by_thumbnail_hash on files (thumbnail_hash) where thumbnail_hash is not null',
    `create table trash (
      id ${id},
      page_id ${integer} not null,
      path ${text} not null,
      title ${text} not null,
      trail ${text} not null,
      audience ${integer} not null,
      owner_id ${integer} not null references members (id),
      pages ${integer} not null,
      world_pages ${integer} not null,
      members_pages ${integer} not null,
      deleted_at ${integer} not null,
      deleted_by ${integer} not null references members (id)
    )${rows}`,
    'create index trash_by_time on trash (deleted_at, id)',
    `create table trashed_pages (
      id ${integer} primary key,
      trash_id ${integer} not null references trash (id),
      path ${text} not null,
      title ${text} not null,
      parent_id ${integer},
      depth ${integer} not null,
      permissions ${integer} not null,
      audience ${integer} not null,
      owner_id ${integer} not null references members (id),
      change_id ${integer} not null,
      history_bytes ${integer} not null,
      history_from ${integer} not null,
      created_at ${integer} not null,
      updated_at ${integer} not null
    )${rows}`,
    'create index trashed_pages_by_path on trashed_pages (path, id)',
    'create index trashed_pages_by_trash on trashed_pages (trash_id, depth, id)',
    // The only ones whose readers differ from those of other pages of their audience.
    'create index trashed_pages_private on trashed_pages (trash_id, owner_id) where audience = 2',
  ];
}
