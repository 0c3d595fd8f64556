/** Pages that not everyone may read, told by an index that is as small as they are few: see docs/decisions/0029. */
import { type Kysely, sql } from 'kysely';
import type { SchemaWords } from '../engine.ts';

export const name = '0008-hidden-pages';

export async function up(db: Kysely<never>, words: SchemaWords): Promise<void> {
  for (const statement of words.hiddenPages) await sql.raw(statement).execute(db);
}
