/**
 * SQLite's implementation of the SQL dialect. Lists are passed as JSON, so that the statement does not depend on the number of
 * values.
 */
import { type RawBuilder, sql } from 'kysely';
import { type Dialect, encoded, type SchemaWords, storable } from '../engine.ts';
import { plain } from './handle.ts';
import { namedPages, searchIndexes } from './search-indexes.ts';
import { uniquePaths } from './unique-paths.ts';

const words: SchemaWords = {
  // AUTOINCREMENT: an ID is never reused, even after its row is deleted.
  id: 'integer primary key autoincrement',
  integer: 'integer',
  text: 'text',
  real: 'real',
  truth: 'integer',
  rows: ' strict',
  rowsByKey: ' strict, without rowid',
  ofEngine: [
    ...uniquePaths,
    // Partial index: pages without a type are left out, so that inserting one changes fewer pages of the file.
    'create index pages_by_given_type on pages (type, sort_key, id, audience, owner_id) where type is not null',
    `create index ${namedPages} on pages (id, sort_key, type, audience, owner_id)`,
    ...searchIndexes,
    'create table commits (id integer primary key, writer integer not null, subjects text) strict',
  ],
  foldedNames: [],
  commitOrder: () => ({ column: 'id', indexes: [] }),
};

export const dialect: Dialect = {
  words,
  bundle: (queries) => ({ statements: [...queries], unpack: (results) => results }),
  rows(columns, rows) {
    const names = Object.keys(columns);
    const picked = names.map((name, i) => sql`value ->> ${sql.lit(i)} as ${sql.ref(name)}`);
    const json = encoded(rows, (rows) => JSON.stringify(rows.map((row) => row.map(plain))));
    return sql`(select ${sql.join(picked)} from json_each(${json}))`;
  },
  among: (reference, numbers) =>
    sql`${reference} in (select value from json_each(${encoded(numbers, JSON.stringify)}))`,
  amongTexts: (reference, texts) =>
    sql`${reference} in (select value from json_each(${encoded(texts, (value) => JSON.stringify(value.map(storable)))}))`,
  jsonText: (text, key) => sql`${text} ->> ${key}`,
  truth: (value) => sql.lit(value ? 1 : 0) as unknown as RawBuilder<boolean>,

  lockRows: () => sql``,
  lastId: () => sql`last_insert_rowid()`,
  // Transactions run one after the other, so IDs follow the commit order.
  commitOrder: sql.ref('e.id'),
};
