/**
 * Groups of members, and pages that are of one. `members.group_ids` repeats the rows of `group_members`, so that who asks is known with
 * their groups by the look-up that finds them anyway.
 */
import type { SchemaWords } from '../engine.ts';

export const name = '0010-groups';

export function statements({ id, integer, text, truth, rows, rowsByKey }: SchemaWords): string[] {
  return [
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
    `alter table members add column group_ids ${text} not null default ''`,
    ...['pages', 'trashed_pages'].flatMap((table) => [
      `alter table ${table} add column group_id ${integer}`,
      `alter table ${table} add column default_group_id ${integer}`,
      // Partial, so no larger than the number of pages that are of a group.
      `create index ${table}_by_group on ${table} (group_id) where group_id is not null`,
      `create index ${table}_by_default_group on ${table} (default_group_id) where default_group_id is not null`,
    ]),
    `alter table pages add column default_permissions ${integer}`,
    // Most wikis have none, which creating a page asks first.
    'create index pages_with_defaults on pages (id) where default_permissions is not null',
    // Pages that some members read and not all: what they link to is counted for those members when they ask.
    'create index pages_by_group_audience on pages (audience) where audience > 3',
    'create index pages_by_group_owner on pages (owner_id) where audience > 3',
    // Groups read some of those in the trash, as owners do.
    'drop index trashed_pages_private',
    'create index trashed_pages_hidden on trashed_pages (trash_id, audience, owner_id) where audience > 1',
  ];
}
