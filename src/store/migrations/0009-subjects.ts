/**
 * On PostgreSQL: what a commit concerned besides pages. A column of its own, so that processes of an older version, which
 * would take subjects for all that was concerned, find none in it and make everything anew, and their rows none for us.
 */
import { type Kysely, sql } from 'kysely';
import type { SchemaWords } from '../engine.ts';

export const name = '0009-subjects';

export async function up(db: Kysely<never>, words: SchemaWords): Promise<void> {
  for (const statement of words.commitSubjects) await sql.raw(statement).execute(db);
}
