/** Second factors of members: one-time passwords by an app, and codes for when it is lost. */
import type { SchemaWords } from '../engine.ts';

export const name = '0016-second-factor';

export function statements({ id, integer, text, rows }: SchemaWords): string[] {
  return [
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
  ];
}
