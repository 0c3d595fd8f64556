/** How long the history of a page is, told without a look at it: see docs/decisions/0027. */
import { type Kysely, sql } from 'kysely';
import type { SchemaWords } from '../engine.ts';

export const name = '0006-history-bytes';

export async function up(db: Kysely<never>, words: SchemaWords): Promise<void> {
  const statements = [
    `alter table pages add column history_bytes ${words.integer} not null default 0`,
    `update pages set history_bytes = h.bytes
      from (select page_id, sum(octet_length(content)) as bytes from changes group by page_id) as h
      where h.page_id = pages.id`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
