/** Contents of changes that are known to be whole need not be parsed to be shown. `coppice rebuild` fills in those that are there. */
import { type Kysely, sql } from 'kysely';
import type { SchemaWords } from '../engine.ts';

export const name = '0022-checksums';

export async function up(db: Kysely<never>, { integer }: SchemaWords): Promise<void> {
  await sql.raw(`alter table changes add column content_crc ${integer}`).execute(db);
}
