/** What a member owns and edited last, newest first, without a look at anybody else's. */
import { type Kysely, sql } from 'kysely';

export const name = '0003-own-pages';

export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    'create index pages_by_owner_update on pages (owner_id, updated_at, id, audience)',
    'create index changes_by_editor on changes (editor_id, id)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
