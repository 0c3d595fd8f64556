/** Watches of members, their notifications, and how far the events have been held against the watches. */
import type { SchemaWords } from '../engine.ts';

export const name = '0015-watches';

export function statements({ id, integer, text, rows }: SchemaWords): string[] {
  return [
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
  ];
}
