/** Grants of pages, and the audiences that they make. */
import type { SchemaWords } from '../engine.ts';

export const name = '0010-grants';

export function statements({ id, integer, text, rows }: SchemaWords): string[] {
  return [
    `create table audiences (
      id ${id},
      key ${text} not null,
      key_entry ${text} not null unique
    )`,
    `create table audience_readers (
      audience_id ${integer} not null,
      subject ${integer} not null,
      primary key (audience_id, subject)
    )${rows}`,
    'create index audience_readers_by_subject on audience_readers (subject, audience_id)',
    `alter table pages add column grants ${text}`,
    `alter table pages add column audience_id ${integer}`,
    `alter table pages add column beneath_id ${integer}`,
    `alter table trashed_pages add column audience_id ${integer}`,
    // To find out whether a subtree has any.
    'create index pages_granted on pages (id) where audience_id is not null',
  ];
}
