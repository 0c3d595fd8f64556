/** On SQLite: a row for each commit of late, saying what it concerned. See docs/decisions/0018. */
import { type Kysely, sql } from 'kysely';
import type { SchemaWords } from '../engine.ts';

export const name = '0012-commits-of-processes';

export async function up(db: Kysely<never>, words: SchemaWords): Promise<void> {
  for (const statement of words.commitsOfProcesses) await sql.raw(statement).execute(db);
}
