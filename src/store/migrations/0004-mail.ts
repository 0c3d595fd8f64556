/** Mail that waits to be sent, and changes of address that wait to be confirmed. */
import type { SchemaWords } from '../engine.ts';

export const name = '0004-mail';

export function statements({ id, integer, text, rows }: SchemaWords): string[] {
  return [
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
  ];
}
