/** On PostgreSQL: small indexes of what there is little of, so that all else is known to be otherwise. See docs/decisions/0028. */
import { type Kysely, sql } from 'kysely';
import type { SchemaWords } from '../engine.ts';

export const name = '0015-small-indexes';

export async function up(db: Kysely<never>, words: SchemaWords): Promise<void> {
  for (const statement of words.smallIndexes) await sql.raw(statement).execute(db);
}
