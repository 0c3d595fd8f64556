/**
 * Invitations that can be listed, revoked and held against the one who made them; links to choose a new passphrase; failed
 * sign-ins that are told to the member; skeletons by which names and addresses that look alike are found.
 */
import { type Kysely, sql } from 'kysely';
import type { SchemaWords } from '../engine.ts';
import { fillSkeletons } from '../members/skeletons.ts';

export const name = '0018-accounts';

export async function up(db: Kysely<never>, words: SchemaWords): Promise<void> {
  const { id, integer, text, truth, tableEnd } = words;
  const statements = [
    `alter table members add column name_skeleton ${text}`,
    `alter table members add column folded_name_skeleton ${text}`,
    `alter table members add column email_skeleton ${text}`,
    `alter table members add column failed_sign_ins ${integer} not null default 0`,
    `alter table members add column failed_since ${integer}`,
    'create index members_by_name_skeleton on members (name_skeleton)',
    'create index members_by_folded_name_skeleton on members (folded_name_skeleton)',
    'create index members_by_email_skeleton on members (email_skeleton)',

    'alter table invitations rename to former_invitations',
    `create table invitations (
      id ${id},
      token_hash ${text} not null unique,
      is_admin ${truth} not null,
      by_command_line ${truth} not null default false,
      invited_by ${integer} references members (id),
      inviter_epoch ${integer},
      created_at ${integer} not null,
      expires_at ${integer} not null,
      used_at ${integer}
    )${tableEnd}`,
    `insert into invitations (token_hash, is_admin, invited_by, inviter_epoch, created_at, expires_at, used_at)
      select i.token_hash, i.is_admin, i.invited_by, m.epoch, i.created_at, i.expires_at, i.used_at
      from former_invitations i left join members m on m.id = i.invited_by order by i.created_at, i.token_hash`,
    'drop table former_invitations',
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
    )${tableEnd}`,
    'create index reset_links_by_member on reset_links (member_id, used_at)',
    'create index reset_links_by_expiry on reset_links (expires_at)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
  await fillSkeletons(db);
}
