/** Accounts at OpenID Connect providers and GitHub, by which members sign in. */
import { type Kysely, sql } from 'kysely';
import type { SchemaWords } from '../engine.ts';

export const name = '0002-identities';

export async function up(db: Kysely<never>, words: SchemaWords): Promise<void> {
  const { integer, text, tableEnd } = words;
  const statements = [
    `create table identities (
      issuer ${text} not null,
      subject ${text} not null,
      member_id ${integer} not null references members (id),
      provider ${text} not null,
      account ${text},
      linked_at ${integer} not null,
      primary key (issuer, subject)
    )${tableEnd}`,
    'create index identities_by_member on identities (member_id, linked_at, issuer, subject)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
