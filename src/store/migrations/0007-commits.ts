/** On PostgreSQL: a row for each commit of late, saying which pages it concerned. See docs/decisions/0028. */
import { type Kysely, sql } from 'kysely';
import type { SchemaWords } from '../engine.ts';

export const name = '0007-commits';

export async function up(db: Kysely<never>, words: SchemaWords): Promise<void> {
  for (const statement of words.commitLog) await sql.raw(statement).execute(db);
}
