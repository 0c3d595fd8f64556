/** Strangers who ask to join, proofs of work that were spent, and invitations that name a role. */
import type { SchemaWords } from '../engine.ts';

export const name = '0022-sign-ups';

export function statements({ id, integer, text, rows }: SchemaWords): string[] {
  return [
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
    `alter table invitations add column role ${text} not null default 'writer'`,
    "update invitations set role = 'administrator' where is_admin",
    'alter table invitations drop column is_admin',
  ];
}
