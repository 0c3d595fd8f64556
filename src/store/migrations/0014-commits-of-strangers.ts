/** On PostgreSQL: whoever writes to the wiki leaves a row that says so, and all others none. See docs/decisions/0028. */
import { type Kysely, sql } from 'kysely';
import type { SchemaWords } from '../engine.ts';

export const name = '0014-commits-of-strangers';

export async function up(db: Kysely<never>, words: SchemaWords): Promise<void> {
  for (const statement of words.commitsOfStrangers) await sql.raw(statement).execute(db);
}
