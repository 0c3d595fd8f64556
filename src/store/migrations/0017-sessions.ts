/** Sign-ins that can be ended one by one: see docs/decisions/0037. */
import { type Kysely, sql } from 'kysely';
import type { SchemaWords } from '../engine.ts';

export const name = '0017-sessions';

export async function up(db: Kysely<never>, words: SchemaWords): Promise<void> {
  const { integer, text, truth, tableEnd } = words;
  const statements = [
    `create table sessions (
      id ${text} primary key,
      member_id ${integer} not null references members (id),
      method ${text} not null,
      provider ${text},
      credential ${text},
      is_browser ${truth} not null,
      user_agent ${text},
      created_at ${integer} not null,
      seen_at ${integer} not null
    )${tableEnd}`,
    'create index sessions_by_member on sessions (member_id, is_browser, seen_at, id)',
    'create index sessions_by_age on sessions (is_browser, seen_at)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
