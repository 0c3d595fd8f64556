/** Inserts many rows into one table in statements of a hundred rows, each compiled once for its number of rows. */
import { type CompiledQuery, sql } from 'kysely';
import type { Database, Engine } from './engine.ts';
import type { Tables } from './tables.ts';

const rowsAtOnce = 100;
/** Up to this number of rows, which is typical for a page, the engine also caches its plan. */
const rowsPrepared = 8;

const inserts = new WeakMap<Engine, Map<string, CompiledQuery>>();

/**
 * All rows have the columns of the first one, in the same order. Sent without waiting: see `Engine.send`, also for `meaning`.
 */
export function insertRows(
  { engine, db }: { engine: Engine; db: Database },
  table: keyof Tables,
  rows: readonly Record<string, unknown>[],
  meaning?: (error: unknown) => unknown,
): void {
  const known = inserts.get(engine) ?? new Map<string, CompiledQuery>();
  inserts.set(engine, known);
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const slice = rows.slice(from, from + rowsAtOnce);
    const columns = Object.keys(slice[0] ?? {});
    const key = `${table} ${slice.length} ${columns.join()}`;
    let statement = known.get(key);
    if (!statement) {
      const row = sql`(${sql.join(columns.map(() => sql`${null}`))})`;
      const names = sql.join(columns.map((column) => sql.ref(column)));
      statement =
        sql`insert into ${sql.table(table)} (${names}) values ${sql.join(slice.map(() => row))}`.compile(db);
      known.set(key, statement);
    }
    const parameters = slice.flatMap((row) => Object.values(row));
    const isPrepared = slice.length <= rowsPrepared;
    engine.send(
      db,
      { ...statement, parameters, ...(isPrepared ? { isPrepared } : {}) } as CompiledQuery,
      meaning,
    );
  }
}
