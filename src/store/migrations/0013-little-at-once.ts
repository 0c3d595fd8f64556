/** The search indexes write and merge little at once, so that a move keeps nobody waiting: see docs/decisions/0025. */
import { type Kysely, sql } from 'kysely';
import type { SchemaWords } from '../engine.ts';

export const name = '0013-little-at-once';

export async function up(db: Kysely<never>, words: SchemaWords): Promise<void> {
  for (const statement of words.littleAtOnce) await sql.raw(statement).execute(db);
}
