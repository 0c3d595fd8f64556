/** Order of siblings in the database: as members arranged them, then by title. */
import { type RawBuilder, sql } from 'kysely';

/** Rank of pages that were never placed: they follow the others. The default of the column. */
export const unranked = 2_000_000_000;

const columns = ['sibling_rank', 'sort_key', 'id'];

/** Columns by which siblings are ordered, as the index `pages_by_parent` has them. */
export function amongSiblings(alias: string): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(`${alias}.${column}`)));
}
