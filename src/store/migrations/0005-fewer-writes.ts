/** What saving a page need not write, or not so often: see docs/decisions/0022. */
import { type Kysely, sql } from 'kysely';
import type { SchemaWords } from '../engine.ts';

export const name = '0005-fewer-writes';

export async function up(db: Kysely<never>, words: SchemaWords): Promise<void> {
  const statements = [
    ...words.calmSearchIndexes,
    // Only private pages are ever looked for by it.
    'drop index pages_by_owner',
    'create index pages_by_private_owner on pages (owner_id) where audience = 2',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
