/**
 * Roles of members, blocks, and protection of pages. Block and protection stand in the rows that who asks and what is shown are read from
 * anyway, so that neither costs a read anything.
 */
import type { SchemaWords } from '../engine.ts';

export const name = '0021-roles';

export function statements({ integer, text }: SchemaWords): string[] {
  return [
    `alter table members add column role ${text} not null default 'writer'`,
    `update members set role = 'administrator' where is_admin`,
    'alter table members drop column is_admin',
    `alter table members add column blocked_at ${integer}`,
    `alter table members add column blocked_until ${integer}`,
    `alter table members add column blocked_by ${integer}`,
    `alter table members add column block_reason ${text}`,
    'create index members_blocked on members (blocked_at) where blocked_at is not null',
    `alter table pages add column protection ${text}`,
    `alter table trashed_pages add column protection ${text}`,
    // Partial, so no larger than the number of pages that are protected.
    'create index pages_protected on pages (id) where protection is not null',
  ];
}
