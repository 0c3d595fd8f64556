/**
 * Every table and index. Indexes include `audience` and `owner_id` if a list is filtered by visibility, so that filtering,
 * ordering and limiting use only the index. The meaning of each column is in `tables.ts`. One long file, because the tables
 * refer to each other and are created together.
 */
import type { SchemaWords } from '../engine.ts';

export const name = '0001-initial';

/**
 * Migrations by which earlier versions created the same tables. In such databases, columns of later migrations come last in
 * their table; they have the same order here, so that all databases are alike.
 */
export const replaces: readonly string[] = [
  '0001-schema',
  '0002-api-tokens',
  '0003-idempotency-keys',
  '0004-mail',
  '0005-trash',
  '0006-events',
  '0007-webhooks',
  '0010-groups',
  '0013-audit',
  '0015-watches',
  '0016-second-factor',
  '0018-imports',
  '0020-small-creates',
  '0021-roles',
  '0022-sign-ups',
  '0023-own-data',
  '0024-file-library',
  '0025-passkeys',
  '0026-reviewed',
  '0029-scheduled-exports',
];

export function statements(words: SchemaWords): string[] {
  const { id, integer, text, real, truth, rows, rowsByKey, commitOrder } = words;
  const auditOrder = commitOrder('audit').column;
  // Counts that are the same for all readers, which is most of them, are in one index of wanted links instead of three.
  const alike = 'case when world_count = members_count and world_count = all_count then 1 else 0 end';
  return [
    `create table members (
      id ${id},
      email ${text} not null,
      email_key ${text} not null unique,
      name ${text} not null,
      is_active ${truth} not null,
      epoch ${integer} not null,
      passphrase_hash ${text},
      created_at ${integer} not null,
      name_skeleton ${text},
      folded_name_skeleton ${text},
      email_skeleton ${text},
      failed_sign_ins ${integer} not null default 0,
      failed_since ${integer},
      is_bot ${truth} not null default false,
      group_ids ${text} not null default '',
      role ${text} not null default 'writer',
      blocked_at ${integer},
      blocked_until ${integer},
      blocked_by ${integer},
      block_reason ${text}
    )${rows}`,
    'create index members_by_name_skeleton on members (name_skeleton)',
    'create index members_by_folded_name_skeleton on members (folded_name_skeleton)',
    'create index members_by_email_skeleton on members (email_skeleton)',
    'create index members_blocked on members (blocked_at) where blocked_at is not null',

    // `members.group_ids` repeats the rows of `group_members`, so that one lookup finds a caller with their groups.
    `create table groups (
      id ${id},
      name ${text} not null,
      name_key ${text} not null unique,
      created_at ${integer} not null
    )${rows}`,
    `create table group_members (
      group_id ${integer} not null references groups (id),
      member_id ${integer} not null references members (id),
      by_provider ${truth} not null,
      added_at ${integer} not null,
      primary key (group_id, member_id)
    )${rowsByKey}`,
    'create index group_members_by_member on group_members (member_id, group_id)',

    `create table invitations (
      id ${id},
      token_hash ${text} not null unique,
      by_command_line ${truth} not null default false,
      invited_by ${integer} references members (id),
      inviter_epoch ${integer},
      created_at ${integer} not null,
      expires_at ${integer} not null,
      used_at ${integer},
      role ${text} not null default 'writer'
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

    `create table api_tokens (
      id ${id},
      token_hash ${text} not null unique,
      member_id ${integer} not null references members (id),
      name ${text} not null,
      scopes ${text} not null,
      ancestor_id ${integer},
      created_at ${integer} not null,
      expires_at ${integer},
      last_used_at ${integer},
      last_used_from ${text}
    )${rows}`,
    'create index api_tokens_by_member on api_tokens (member_id, id)',

    `create table second_factors (
      member_id ${integer} primary key references members (id),
      secret ${text} not null,
      created_at ${integer} not null,
      confirmed_at ${integer},
      last_step ${integer} not null
    )${rows}`,

    `create table recovery_codes (
      id ${id},
      member_id ${integer} not null references members (id),
      code_hash ${text} not null
    )${rows}`,
    'create unique index recovery_codes_by_hash on recovery_codes (member_id, code_hash)',

    `create table passkeys (
      id ${id},
      member_id ${integer} not null references members (id),
      name ${text} not null,
      credential_id ${text} not null,
      public_key ${text} not null,
      counter ${integer} not null,
      is_synced ${truth} not null,
      created_at ${integer} not null,
      last_used_at ${integer}
    )${rows}`,
    'create unique index passkeys_by_credential on passkeys (credential_id)',
    'create index passkeys_by_member on passkeys (member_id, id)',

    `create table answered_challenges (
      challenge_hash ${text} primary key,
      expires_at ${integer} not null
    )${rows}`,
    'create index answered_challenges_by_age on answered_challenges (expires_at)',

    `create table sign_ups (
      id ${id},
      email ${text} not null,
      email_key ${text} not null,
      name ${text} not null,
      passphrase_hash ${text} not null,
      token_hash ${text},
      created_at ${integer} not null,
      waiting_since ${integer},
      expires_at ${integer} not null
    )${rows}`,
    'create unique index sign_ups_by_address on sign_ups (email_key)',
    'create index sign_ups_by_token on sign_ups (token_hash)',
    'create index sign_ups_by_expiry on sign_ups (expires_at)',
    'create index sign_ups_waiting on sign_ups (waiting_since, id) where waiting_since is not null',
    'create index sign_ups_unconfirmed on sign_ups (created_at, id) where waiting_since is null',

    `create table spent_challenges (
      nonce ${text} primary key,
      expires_at ${integer} not null
    )${rows}`,
    'create index spent_challenges_by_expiry on spent_challenges (expires_at)',

    `create table idempotency_keys (
      id ${id},
      member_id ${integer} not null references members (id),
      key ${text} not null,
      fingerprint ${text} not null,
      attempt ${text} not null,
      state ${text} not null,
      begun_at ${integer} not null,
      lease_until ${integer} not null,
      status ${integer},
      headers ${text},
      body ${text},
      bytes ${integer} not null default 0,
      unique (member_id, key)
    )${rows}`,
    'create index idempotency_keys_by_time on idempotency_keys (begun_at)',
    'create index idempotency_keys_by_member on idempotency_keys (member_id, begun_at, bytes)',

    // Each engine keeps paths unique in its own way.
    `create table pages (
      id ${id},
      path ${text} not null,
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
      history_from ${integer} not null default 0,
      group_id ${integer},
      default_group_id ${integer},
      default_permissions ${integer},
      protection ${text}
    )${rows}`,
    // Partial index: if a path equals its key, it is found by the index of paths.
    'create index pages_by_path_key on pages (path_key, id, audience, owner_id) where path_key <> path',
    'create index pages_by_title on pages (title_key, id, audience, owner_id)',
    'create index pages_by_sort_key on pages (sort_key, id, audience, owner_id)',
    'create index pages_by_creation on pages (created_at, id, audience, owner_id)',
    'create index pages_by_update on pages (updated_at, id, audience, owner_id)',
    'create index pages_by_parent on pages (parent_id, sort_key, id, audience, owner_id)',
    // Pages at the root have no ancestors.
    "create index pages_by_trail on pages (trail, id, audience, owner_id) where trail <> '/'",
    'create index pages_by_owner_update on pages (owner_id, updated_at, id, audience)',
    'create index pages_by_cell on pages (cell, id, lat, lon, audience, owner_id) where cell is not null',
    // Only used for private pages.
    'create index pages_by_private_owner on pages (owner_id) where audience = 2',
    // Partial indexes, whose size is the number of pages that are hidden from some, protected, or owned by a group.
    'create index pages_hidden on pages (id, audience, owner_id) where audience > 0',
    'create index pages_protected on pages (id) where protection is not null',
    'create index pages_by_group on pages (group_id) where group_id is not null',
    'create index pages_by_default_group on pages (default_group_id) where default_group_id is not null',
    // Most wikis have none; creating a page checks this first.
    'create index pages_with_defaults on pages (id) where default_permissions is not null',
    // Pages that only some members read: their links are counted for those members on request.
    'create index pages_by_group_audience on pages (audience) where audience > 3',
    'create index pages_by_group_owner on pages (owner_id) where audience > 3',

    // Changes, old paths, likes and files are kept when their page is moved to the trash, so they have no foreign key to pages.
    `create table changes (
      id ${id},
      page_id ${integer} not null,
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
      page_id ${integer} not null,
      unique (path, page_id)
    )${rows}`,
    'create index aliases_by_page on aliases (page_id)',

    `create table likes (
      page_id ${integer} not null,
      member_id ${integer} not null references members (id),
      at ${integer} not null,
      primary key (page_id, member_id)
    )${rows}`,
    'create index likes_by_member on likes (member_id, page_id)',

    `create table files (
      name ${text} primary key,
      page_id ${integer} not null,
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
      until_change_id ${integer},
      sort_key ${text} not null default ''
    )${rows}`,
    // Also prevents two files of one name on a page.
    'create unique index files_of_pages on files (page_id, filename) where until_change_id is null',
    ...['sort_key', 'size_bytes', 'uploaded_at'].map(
      (column) => `create index files_by_${column} on files (${column}, name) where until_change_id is null`,
    ),
    'create index files_ever on files (page_id, filename)',
    // Bytes are deleted with the last row that refers to them.
    'create index files_by_hash on files (hash)',
    'create index files_by_thumbnail_hash on files (thumbnail_hash) where thumbnail_hash is not null',

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
    // Only few links are to files, and they are compared exactly, because paths and file names are case-sensitive.
    "create index links_to_files on links (target, source_id, audience) where kind = 'file'",

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

    // Deleted pages are removed from `pages`, so that no query of pages needs another condition.
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
      updated_at ${integer} not null,
      group_id ${integer},
      default_group_id ${integer},
      protection ${text}
    )${rows}`,
    'create index trashed_pages_by_path on trashed_pages (path, id)',
    'create index trashed_pages_by_trash on trashed_pages (trash_id, depth, id)',
    // Partial index of pages whose readers depend on the owner or a group.
    'create index trashed_pages_hidden on trashed_pages (trash_id, audience, owner_id) where audience > 1',
    'create index trashed_pages_by_group on trashed_pages (group_id) where group_id is not null',
    'create index trashed_pages_by_default_group on trashed_pages (default_group_id) where default_group_id is not null',

    `create table events (
      id ${id},
      position ${integer},
      kind ${text} not null,
      at ${integer} not null,
      page_id ${integer} not null,
      change_id ${integer} not null,
      path ${text} not null,
      title ${text} not null,
      trail ${text} not null,
      audience ${integer} not null,
      lost_audience ${integer},
      owner_id ${integer} not null,
      editor_id ${integer} not null,
      msg ${text} not null,
      facts ${integer} not null default 1,
      from_path ${text},
      from_title ${text},
      from_trail ${text},
      awaits_review ${integer} not null default 0
    )${rows}`,
    ...commitOrder('events').indexes,
    `create index events_awaiting_review on events (${commitOrder('events').column}) where awaits_review = 1`,

    `create table webhooks (
      id ${id},
      member_id ${integer} not null references members (id),
      url ${text} not null,
      kinds ${text},
      ancestor_id ${integer},
      secret ${text} not null,
      created_at ${integer} not null,
      disabled_at ${integer},
      disabled_reason ${text},
      position ${integer} not null,
      last_success_at ${integer},
      leased_until ${integer},
      leased_by ${text}
    )${rows}`,
    'create index webhooks_by_member on webhooks (member_id)',

    `create table webhook_deliveries (
      id ${id},
      webhook_id ${integer} not null references webhooks (id),
      position ${integer},
      message_id ${text} not null,
      kind ${text} not null,
      created_at ${integer} not null,
      state ${text} not null,
      due_at ${integer},
      attempts ${integer} not null,
      attempted_at ${integer} not null,
      status ${integer},
      answer ${text} not null,
      took_ms ${integer} not null
    )${rows}`,
    'create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, id)',
    'create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, due_at) where due_at is not null',

    `create table watches (
      id ${id},
      member_id ${integer} not null references members (id),
      kind ${text} not null,
      target ${text} not null,
      page_id ${integer},
      tag_key ${text},
      value_key ${text},
      tag_name ${text},
      criteria ${text},
      mail ${text} not null,
      created_at ${integer} not null
    )${rows}`,
    'create unique index watches_by_target on watches (member_id, kind, target)',
    'create index watches_by_page on watches (page_id, kind) where page_id is not null',
    'create index watches_by_value on watches (value_key) where value_key is not null',
    'create index watches_by_tag_name on watches (tag_name) where tag_name is not null',
    'create index watches_by_search on watches (target) where criteria is not null',

    `create table watchers (
      member_id ${integer} primary key references members (id),
      unsubscribe_key ${text} not null,
      feed_hash ${text}
    )${rows}`,
    'create unique index watchers_by_key on watchers (unsubscribe_key)',
    'create unique index watchers_by_feed on watchers (feed_hash) where feed_hash is not null',

    `create table notifications (
      id ${id},
      member_id ${integer} not null references members (id),
      event_id ${integer} not null,
      watch_id ${integer} not null,
      mail ${text} not null,
      mail_id ${integer},
      read_at ${integer}
    )${rows}`,
    'create unique index notifications_by_event on notifications (member_id, event_id)',
    'create index notifications_by_member on notifications (member_id, id)',
    'create index notifications_unread on notifications (member_id, id) where read_at is null',
    `create index notifications_to_mail on notifications (member_id, mail, id) where mail_id is null and mail <> 'off'`,
    'create index notifications_by_mail on notifications (mail_id, id) where mail_id is not null',

    `create table watched_events (
      id ${integer} primary key,
      position ${integer},
      lease_until ${integer} not null
    )${rows}`,
    'insert into watched_events (id, lease_until) values (1, 0)',

    `create table mails (
      id ${id},
      kind ${text} not null,
      address_key ${text} not null,
      mail ${text} not null,
      created_at ${integer} not null,
      due_at ${integer},
      attempts ${integer} not null default 0,
      error ${text}
    )${rows}`,
    'create index mails_by_due on mails (due_at, id) where due_at is not null',
    'create index mails_by_kind on mails (kind, address_key, created_at)',
    'create index mails_by_age on mails (created_at, id)',

    `create table address_changes (
      id ${id},
      token_hash ${text} unique,
      member_id ${integer} not null references members (id),
      member_epoch ${integer} not null,
      email ${text} not null,
      created_at ${integer} not null,
      expires_at ${integer} not null
    )${rows}`,
    'create unique index address_changes_by_member on address_changes (member_id)',
    'create index address_changes_by_expiry on address_changes (expires_at)',

    `create table audit (
      id ${id},
      position ${integer},
      at ${integer} not null,
      kind ${text} not null,
      via ${text} not null,
      from_address ${text},
      actor_id ${integer},
      token_id ${integer},
      subject_kind ${text},
      subject_id ${integer},
      subject_name ${text} not null,
      note ${text} not null,
      hour ${integer},
      times ${integer} not null,
      last_at ${integer} not null
    )${rows}`,
    ...commitOrder('audit').indexes,
    `create index audit_by_kind on audit (kind, ${auditOrder})`,
    `create index audit_by_actor on audit (actor_id, ${auditOrder}) where actor_id is not null`,
    `create index audit_by_subject on audit (subject_id, ${auditOrder}) where subject_kind = 'member'`,
    'create index audit_by_time on audit (at)',
    // One row for each account and address per hour, which counts repetitions.
    `create unique index audit_by_hour on audit (hour, coalesce(subject_id, 0), coalesce(from_address, '')) where hour is not null`,

    `create table imports (
      id ${id},
      state ${text} not null,
      member_id ${integer} not null,
      done ${integer} not null default 0,
      total ${integer},
      begun_at ${integer} not null,
      seen_at ${integer} not null,
      error ${text},
      certificate ${text}
    )${rows}`,
    "create unique index imports_running on imports (state) where state = 'running'",

    `create table scheduled_exports (
      format ${text} primary key,
      state ${text} not null,
      begun_at ${integer} not null,
      seen_at ${integer} not null,
      succeeded_at ${integer},
      failures ${integer} not null default 0
    )${rows}`,

    ...words.ofEngine,
  ];
}
