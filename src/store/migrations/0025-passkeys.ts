/** Passkeys of members, and challenges of theirs that were answered. */
import type { SchemaWords } from '../engine.ts';

export const name = '0025-passkeys';

export function statements({ id, integer, text, truth, rows }: SchemaWords): string[] {
  return [
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
  ];
}
