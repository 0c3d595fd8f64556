/** PostgreSQL's implementation of the SQL dialect. */
import { type RawBuilder, sql } from 'kysely';
import { type Dialect, storable } from '../engine.ts';
import { array, rows } from './arrays.ts';
import { words } from './schema.ts';

export const dialect: Dialect = {
  words,
  bundle(queries) {
    const columns = queries.map(
      (query, i) =>
        sql`(select coalesce(json_agg(q), '[]'::json) from (${query}) as q) as ${sql.ref(`q${i}`)}`,
    );
    return {
      statements: [sql`select ${sql.join(columns)}`],
      unpack: (results) => {
        const row = results[0]?.[0] as Record<string, unknown[]>;
        return queries.map((_, i) => row[`q${i}`] ?? []);
      },
    };
  },
  rows,
  among: (reference, numbers) => sql`${reference} = any (${array('integer', numbers, (value) => value)})`,
  amongTexts: (reference, texts) =>
    sql`${reference} = any (${array('text', texts, (value) => value.map(storable))})`,
  jsonText: (text, key) => sql`${text}::json ->> ${key}`,
  truth: (value) => sql.lit(value) as RawBuilder<boolean>,

  lockRows: (mode) => (mode === 'share' ? sql`for share of p` : sql`for no key update of p`),
  commitOrder: sql.ref('e.position'),
  lastId: (table) => sql`currval(pg_get_serial_sequence(${sql.lit(table)}, 'id'))`,
};
