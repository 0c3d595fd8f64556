/** Pages with links relative to their path: what must be derived anew when a page above them moves. */
import { type Kysely, sql } from 'kysely';
import type { SchemaWords } from '../engine.ts';

export const name = '0004-relative-links';

export async function up(db: Kysely<never>, words: SchemaWords): Promise<void> {
  // True for the pages that there are: deriving a page in vain is harmless, and the next change or rebuild says exactly.
  await sql.raw(`alter table pages add column follows_path ${words.truth} not null default true`).execute(db);
}
