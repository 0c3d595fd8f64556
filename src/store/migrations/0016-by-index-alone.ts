/** Lists that an index put together without a look at the rows of pages: see docs/decisions/0029. */
import { type Kysely, sql } from 'kysely';
import type { SchemaWords } from '../engine.ts';

export const name = '0016-by-index-alone';

export async function up(db: Kysely<never>, words: SchemaWords): Promise<void> {
  for (const statement of words.byIndexAlone) await sql.raw(statement).execute(db);
}
