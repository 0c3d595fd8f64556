/** Orders of a search in SQL. Each is total: ties are broken by ID. */
import { type RawBuilder, sql } from 'kysely';
import type { SearchCriteria, SearchOrder } from '#core/ports/list-reads.ts';
import type { CursorOrder } from '#core/search/cursor.ts';

/** Total orders: a reversed order also reverses the ties, so that one index serves both directions. */
export function orderBy(criteria: SearchCriteria, isReversed: boolean): RawBuilder<unknown> {
  if (criteria.order === 'relevance') {
    // Without a text to rank by, the latest change comes first.
    return criteria.text
      ? sql`coalesce(r.title_hit, 0) desc, coalesce(r.exact_hit, 0) desc, coalesce(r.rank, 1e9), p.updated_at desc, p.id`
      : orders['most recent update'];
  }
  // The order of the tree is not one of columns: see `search-tree.ts`.
  const order = criteria.order === 'tree' ? 'alphabetical' : criteria.order;
  return orders[isReversed ? reversed[order] : order];
}

const orders = {
  alphabetical: sql`p.sort_key, p.id`,
  'reverse alphabetical': sql`p.sort_key desc, p.id desc`,
  'first created': sql`p.created_at, p.id`,
  'last created': sql`p.created_at desc, p.id desc`,
  'oldest update': sql`p.updated_at, p.id`,
  'most recent update': sql`p.updated_at desc, p.id desc`,
} satisfies Record<Exclude<SearchOrder, 'relevance' | 'tree'>, RawBuilder<unknown>>;

const reversed = {
  alphabetical: 'reverse alphabetical',
  'reverse alphabetical': 'alphabetical',
  'first created': 'last created',
  'last created': 'first created',
  'oldest update': 'most recent update',
  'most recent update': 'oldest update',
} satisfies Record<keyof typeof orders, keyof typeof orders>;

/** Column that an order compares, and whether its lowest value comes first. */
export function orderColumn(order: CursorOrder): {
  column: RawBuilder<string | number>;
  isAscending: boolean;
} {
  if (order.endsWith('alphabetical'))
    return { column: sql.ref('p.sort_key'), isAscending: order === 'alphabetical' };
  if (order.endsWith('created'))
    return { column: sql.ref('p.created_at'), isAscending: order === 'first created' };
  return { column: sql.ref('p.updated_at'), isAscending: order === 'oldest update' };
}
