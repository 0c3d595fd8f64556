/** Mail that was sent lately, so that repeated requests do not flood a mailbox. */
import type { SchemaWords } from '../engine.ts';

export const name = '0007-sent-mails';

export function statements({ integer, text, rowsByKey }: SchemaWords): string[] {
  return [
    `create table sent_mails (
      kind ${text} not null,
      address_key ${text} not null,
      asked_at ${integer} not null,
      primary key (kind, address_key)
    )${rowsByKey}`,
    'create index sent_mails_by_time on sent_mails (asked_at)',
  ];
}
