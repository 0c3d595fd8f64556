/** On PostgreSQL: finds the texts that search keeps in several parts, of which there are few. See docs/decisions/0028. */
import { type Kysely, sql } from 'kysely';
import type { SchemaWords } from '../engine.ts';

export const name = '0015-texts-in-parts';

export async function up(db: Kysely<never>, words: SchemaWords): Promise<void> {
  for (const statement of words.textsInParts) await sql.raw(statement).execute(db);
}
