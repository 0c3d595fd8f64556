/** A new page alters fewer pages of the file, so that little room on the disk lasts longer: see docs/decisions/0022. */
import { type Kysely, sql } from 'kysely';
import type { SchemaWords } from '../engine.ts';

export const name = '0021-small-writes';

export async function up(db: Kysely<never>, words: SchemaWords): Promise<void> {
  for (const statement of words.smallWrites) await sql.raw(statement).execute(db);
}
