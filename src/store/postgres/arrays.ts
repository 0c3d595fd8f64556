/** Lists as parameters: one array for each column, so that the statement does not depend on the number of values. */
import { type RawBuilder, sql } from 'kysely';
import { type ColumnKind, encoded, Placeholder, storable } from '../engine.ts';

const arrayTypes = {
  integer: sql`bigint[]`,
  text: sql`text[]`,
  real: sql`double precision[]`,
  truth: sql`boolean[]`,
} satisfies Record<ColumnKind, RawBuilder<unknown>>;

export function rows(
  columns: Record<string, ColumnKind>,
  rows: readonly (readonly unknown[])[] | Placeholder,
): RawBuilder<unknown> {
  const names = Object.keys(columns);
  const arrays = names.map((name, i) =>
    array(columns[name] ?? 'text', rows, (rows) => rows.map((row) => storable(row[i]))),
  );
  const aliases = sql.join(names.map((name) => sql.ref(name)));
  return sql`(select * from unnest(${sql.join(arrays)}) as u (${aliases}))`;
}

export function array<V>(
  kind: ColumnKind,
  values: V | Placeholder,
  encode: (values: V) => unknown,
): RawBuilder<unknown> {
  const given = sql`${encoded(values, encode)}::${arrayTypes[kind]}`;
  // Hidden in a subquery: if PostgreSQL knows the length of the array, it plans a prepared statement again each time, which
  // takes longer than running it.
  return values instanceof Placeholder ? sql`(select ${given})::${arrayTypes[kind]}` : given;
}
