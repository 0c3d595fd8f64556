/** No write does the merging of thousands of others: see docs/decisions/0025. */
import { type Kysely, sql } from 'kysely';
import type { SchemaWords } from '../engine.ts';

export const name = '0006-even-writes';

export async function up(db: Kysely<never>, words: SchemaWords): Promise<void> {
  for (const statement of words.evenSearchIndexes) await sql.raw(statement).execute(db);
}
