/**
 * Every table and index. Indexes carry `audience` and `owner_id` where a list is filtered by what the caller may see, so that
 * filtering, ordering and cutting off happen in the index alone. What each column means stands in `tables.ts`.
 */
import type { SchemaWords } from '../engine.ts';

export const name = '0001-schema';

export function statements(words: SchemaWords): string[] {
  const { id, integer, text, real, truth, rows, rowsByKey } = words;
  // Counts that are the same for everybody, as most are, stand in one index of wanted links instead of three.
  const alike = 'case when world_count = members_count and world_count = all_count then 1 else 0 end';
  return [
    `create table members (
      id ${id},
      email ${text} not null,
      email_key ${text} not null unique,
      name ${text} not null,
      is_admin ${truth} not null,
      is_active ${truth} not null,
      epoch ${integer} not null,
      passphrase_hash ${text},
      created_at ${integer} not null,
      name_skeleton ${text},
      folded_name_skeleton ${text},
      email_skeleton ${text},
      failed_sign_ins ${integer} not null default 0,
      failed_since ${integer}
    )${rows}`,
    'create index members_by_name_skeleton on members (name_skeleton)',
    'create index members_by_folded_name_skeleton on members (folded_name_skeleton)',
    'create index members_by_email_skeleton on members (email_skeleton)',

    `create table invitations (
      id ${id},
      token_hash ${text} not null unique,
      is_admin ${truth} not null,
      by_command_line ${truth} not null default false,
      invited_by ${integer} references members (id),
      inviter_epoch ${integer},
      created_at ${integer} not null,
      expires_at ${integer} not null,
      used_at ${integer}
    )${rows}`,
    'create index invitations_by_expiry on invitations (expires_at)',
    'create index invitations_by_inviter on invitations (invited_by)',

    `create table reset_links (
      id ${id},
      token_hash ${text} not null unique,
      member_id ${integer} not null references members (id),
      member_epoch ${integer} not null,
      made_by ${integer} references members (id),
      maker_epoch ${integer},
      created_at ${integer} not null,
      expires_at ${integer} not null,
      used_at ${integer}
    )${rows}`,
    'create index reset_links_by_member on reset_links (member_id, used_at)',
    'create index reset_links_by_expiry on reset_links (expires_at)',

    `create table oauth_handles (
      handle_hash ${text} primary key,
      member_id ${integer} not null references members (id),
      provider ${text} not null,
      created_at ${integer} not null
    )${rows}`,
    'create index oauth_handles_by_member on oauth_handles (member_id, provider)',

    `create table identities (
      issuer ${text} not null,
      subject ${text} not null,
      member_id ${integer} not null references members (id),
      provider ${text} not null,
      account ${text},
      linked_at ${integer} not null,
      primary key (issuer, subject)
    )${rows}`,
    'create index identities_by_member on identities (member_id, linked_at, issuer, subject)',

    `create table sessions (
      id ${text} primary key,
      member_id ${integer} not null references members (id),
      method ${text} not null,
      provider ${text},
      credential ${text},
      is_browser ${truth} not null,
      user_agent ${text},
      created_at ${integer} not null,
      seen_at ${integer} not null
    )${rows}`,
    'create index sessions_by_member on sessions (member_id, is_browser, seen_at, id)',
    'create index sessions_by_age on sessions (is_browser, seen_at)',

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
      updated_at ${integer} not null,
      follows_path ${truth} not null default true,
      history_bytes ${integer} not null default 0,
      history_from ${integer} not null default 0
    )${rows}`,
    'create index pages_by_path_key on pages (path_key)',
    'create index pages_by_title on pages (title_key, id, audience, owner_id)',
    'create index pages_by_sort_key on pages (sort_key, id, audience, owner_id)',
    'create index pages_by_creation on pages (created_at, id, audience, owner_id)',
    'create index pages_by_update on pages (updated_at, id, audience, owner_id)',
    'create index pages_by_parent on pages (parent_id, sort_key, id, audience, owner_id)',
    'create index pages_by_trail on pages (trail, id, audience, owner_id)',
    'create index pages_by_owner_update on pages (owner_id, updated_at, id, audience)',
    'create index pages_by_cell on pages (cell, id, lat, lon, audience, owner_id) where cell is not null',
    // Only private pages are ever looked for by it.
    'create index pages_by_private_owner on pages (owner_id) where audience = 2',
    // A partial index, as small as the number of pages that not everyone may read.
    'create index pages_hidden on pages (id, audience, owner_id) where audience > 0',

    `create table changes (
      id ${id},
      page_id ${integer} not null references pages (id),
      at ${integer} not null,
      editor_id ${integer} not null references members (id),
      content ${text} not null
    )${rows}`,
    'create index changes_by_page on changes (page_id, id)',
    'create index changes_by_editor on changes (editor_id, id)',

    `create table aliases (
      id ${id},
      path ${text} not null,
      path_key ${text} not null,
      page_id ${integer} not null references pages (id),
      unique (path, page_id)
    )${rows}`,
    'create index aliases_by_page on aliases (page_id)',

    `create table likes (
      page_id ${integer} not null references pages (id),
      member_id ${integer} not null references members (id),
      at ${integer} not null,
      primary key (page_id, member_id)
    )${rows}`,

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
      until_change_id ${integer}
    )${rows}`,
    // Also what keeps a page from having two files of one name.
    'create unique index files_of_pages on files (page_id, filename) where until_change_id is null',

    `create table tags (
      page_id ${integer} not null references pages (id),
      seq ${integer} not null,
      key ${text} not null,
      value ${text} not null,
      value_key ${text} not null,
      primary key (page_id, seq)
    )${rowsByKey}`,
    'create index tags_by_key on tags (key, value_key, page_id)',
    'create index tags_by_value on tags (value_key, page_id)',

    `create table links (
      source_id ${integer} not null references pages (id),
      kind ${text} not null,
      target ${text} not null,
      key ${text} not null,
      is_path ${truth} not null,
      count ${integer} not null,
      audience ${integer} not null,
      primary key (source_id, kind, target)
    )${rowsByKey}`,
    'create index links_by_key on links (key, kind, audience, source_id)',

    `create table wanted (
      key ${text} primary key,
      sort_key ${text} not null,
      world_count ${integer} not null,
      members_count ${integer} not null,
      all_count ${integer} not null,
      private_count ${integer} not null
    )${rowsByKey}`,
    `create index wanted_alike on wanted (world_count desc, sort_key, key) where world_count > 0 and ${alike} = 1`,
    ...['world', 'members', 'all'].map(
      (count) => `create index wanted_by_${count} on wanted (${count}_count desc, sort_key, key)
        where ${count}_count > 0 and ${alike} = 0`,
    ),
    ...words.ofEngine,
  ];
}
