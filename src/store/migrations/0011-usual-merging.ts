/** Takes back what a withdrawn migration (`0006-even-writes`) told the search indexes: see docs/decisions/0025. */
import { type Kysely, sql } from 'kysely';
import type { SchemaWords } from '../engine.ts';

export const name = '0011-usual-merging';

export async function up(db: Kysely<never>, words: SchemaWords): Promise<void> {
  for (const statement of words.usualMerging) await sql.raw(statement).execute(db);
}
