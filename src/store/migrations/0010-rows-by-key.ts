/**
 * Saving a page writes fewer parts of the file: the rows of small tables lie in the order of their keys, and what everybody
 * wants alike stands in one index of wanted links instead of three. See docs/decisions/0022.
 */
import { type Kysely, sql } from 'kysely';
import type { SchemaWords } from '../engine.ts';

export const name = '0010-rows-by-key';

export async function up(db: Kysely<never>, words: SchemaWords): Promise<void> {
  const { integer, text, truth } = words;
  await words.storeByKey(
    db,
    'tags',
    `page_id ${integer} not null references pages (id),
    seq ${integer} not null,
    key ${text} not null,
    value ${text} not null,
    value_key ${text} not null,
    primary key (page_id, seq)`,
  );
  await words.storeByKey(
    db,
    'links',
    `source_id ${integer} not null references pages (id),
    kind ${text} not null,
    target ${text} not null,
    key ${text} not null,
    is_path ${truth} not null,
    count ${integer} not null,
    audience ${integer} not null,
    primary key (source_id, kind, target)`,
  );
  const counts = ['world', 'members', 'all'];
  for (const count of counts) await sql.raw(`drop index wanted_by_${count}`).execute(db);
  await words.storeByKey(
    db,
    'wanted',
    `key ${text} primary key,
    sort_key ${text} not null,
    world_count ${integer} not null,
    members_count ${integer} not null,
    all_count ${integer} not null,
    private_count ${integer} not null`,
  );
  const alike = 'case when world_count = members_count and world_count = all_count then 1 else 0 end';
  const statements = [
    `create index wanted_alike on wanted (world_count desc, sort_key, key) where world_count > 0 and ${alike} = 1`,
    ...counts.map(
      (count) => `create index wanted_by_${count} on wanted (${count}_count desc, sort_key, key)
        where ${count}_count > 0 and ${alike} = 0`,
    ),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
