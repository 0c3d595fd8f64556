/**
 * The first shape of everything. Indexes carry `audience` and `owner_id` where a list is filtered by what the
 * caller may see, so that filtering, ordering and cutting off happen in the index alone.
 */
import { type Kysely, sql } from 'kysely';
import type { SchemaWords } from '../engine.ts';

export const name = '0001-pages';

export async function up(db: Kysely<never>, words: SchemaWords): Promise<void> {
  const { id, integer, text, real, truth, tableEnd } = words;
  const statements = [
    `create table members (
      id ${id},
      email ${text} not null,
      email_key ${text} not null unique,
      name ${text} not null,
      is_admin ${truth} not null,
      is_active ${truth} not null,
      epoch ${integer} not null,
      passphrase_hash ${text},
      created_at ${integer} not null
    )${tableEnd}`,
    `create table invitations (
      token_hash ${text} primary key,
      is_admin ${truth} not null,
      invited_by ${integer} references members (id),
      created_at ${integer} not null,
      expires_at ${integer} not null,
      used_at ${integer}
    )${tableEnd}`,
    `create table oauth_handles (
      handle_hash ${text} primary key,
      member_id ${integer} not null references members (id),
      provider ${text} not null,
      created_at ${integer} not null
    )${tableEnd}`,
    'create index oauth_handles_by_member on oauth_handles (member_id, provider)',

    `create table pages (
      id ${id},
      path ${text} not null unique,
      path_key ${text} not null,
      slug ${text} not null,
      title ${text} not null,
      title_key ${text} not null,
      sort_key ${text} not null,
      description ${text} not null,
      type ${text},
      lat ${real},
      lon ${real},
      cell ${integer},
      parent_id ${integer} references pages (id) deferrable initially deferred,
      depth ${integer} not null,
      trail ${text} not null,
      permissions ${integer} not null,
      audience ${integer} not null,
      owner_id ${integer} not null references members (id),
      change_id ${integer} not null,
      created_at ${integer} not null,
      updated_at ${integer} not null
    )${tableEnd}`,
    // Counting the pages under a path looks at nothing else.
    'create index pages_by_path on pages (path, id, audience, owner_id)',
    'create index pages_by_path_key on pages (path_key)',
    'create index pages_by_title on pages (title_key, id, audience, owner_id)',
    'create index pages_by_sort_key on pages (sort_key, id, audience, owner_id)',
    'create index pages_by_creation on pages (created_at, id, audience, owner_id)',
    'create index pages_by_update on pages (updated_at, id, audience, owner_id)',
    'create index pages_by_type on pages (type, sort_key, id, audience, owner_id)',
    'create index pages_by_parent on pages (parent_id, sort_key, id, audience, owner_id)',
    'create index pages_by_trail on pages (trail, id, audience, owner_id)',
    'create index pages_by_owner on pages (owner_id, audience)',
    'create index pages_by_cell on pages (cell, id, lat, lon, audience, owner_id) where cell is not null',

    `create table changes (
      id ${id},
      page_id ${integer} not null references pages (id),
      at ${integer} not null,
      editor_id ${integer} not null references members (id),
      content ${text} not null
    )${tableEnd}`,
    'create index changes_by_page on changes (page_id, id)',

    `create table aliases (
      id ${id},
      path ${text} not null,
      path_key ${text} not null,
      page_id ${integer} not null references pages (id),
      unique (path, page_id)
    )${tableEnd}`,
    'create index aliases_by_page on aliases (page_id)',

    `create table likes (
      page_id ${integer} not null references pages (id),
      member_id ${integer} not null references members (id),
      at ${integer} not null,
      primary key (page_id, member_id)
    )${tableEnd}`,

    `create table tags (
      page_id ${integer} not null references pages (id),
      seq ${integer} not null,
      key ${text} not null,
      value ${text} not null,
      value_key ${text} not null,
      primary key (page_id, seq)
    )${tableEnd}`,
    'create index tags_by_key on tags (key, value_key, page_id)',
    'create index tags_by_value on tags (value_key, page_id)',

    `create table files (
      name ${text} primary key,
      page_id ${integer} not null references pages (id),
      filename ${text} not null,
      hash ${text} not null,
      mime ${text} not null,
      size_bytes ${integer} not null,
      width ${integer},
      height ${integer},
      thumbnail ${text} unique,
      thumbnail_hash ${text},
      thumbnail_mime ${text},
      uploaded_at ${integer} not null,
      uploader_id ${integer} not null references members (id),
      unique (page_id, filename)
    )${tableEnd}`,

    `create table links (
      source_id ${integer} not null references pages (id),
      kind ${text} not null,
      target ${text} not null,
      key ${text} not null,
      is_path ${truth} not null,
      count ${integer} not null,
      audience ${integer} not null,
      primary key (source_id, kind, target)
    )${tableEnd}`,
    'create index links_by_key on links (key, kind, audience, source_id)',

    `create table wanted (
      key ${text} primary key,
      sort_key ${text} not null,
      world_count ${integer} not null,
      members_count ${integer} not null,
      all_count ${integer} not null,
      private_count ${integer} not null
    )${tableEnd}`,
    'create index wanted_by_world on wanted (world_count desc, sort_key, key) where world_count > 0',
    'create index wanted_by_members on wanted (members_count desc, sort_key, key) where members_count > 0',
    'create index wanted_by_all on wanted (all_count desc, sort_key, key) where all_count > 0',
    ...words.searchIndexes,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
