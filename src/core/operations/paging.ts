/** Paging of all lists by `limit` and `offset`. */
import { Type } from 'typebox';
import type { Range } from '../ports/list-reads.ts';

const maxListed = 1000;

/** Values above 1,000 count as 1,000; the schema has refused everything but positive integers. */
export function countOf(given: number | undefined, otherwise: number): number {
  return Math.min(given ?? otherwise, maxListed);
}

/** `limit` and `offset` for the store; an excessive offset is the end of the list. */
export function rangeOf(query: { limit?: number; offset?: number }, limit = 10): Range {
  return { limit: countOf(query.limit, limit), offset: Math.min(query.offset ?? 0, Number.MAX_SAFE_INTEGER) };
}

/** Query parameter for the number of results, with this default. */
export function limitField(otherwise: number, example: number) {
  return Type.Optional(
    Type.Integer({
      description: 'Number of results to return. Values above 1,000 count as 1,000.',
      minimum: 1,
      default: otherwise,
      examples: [example],
    }),
  );
}

/** Query parameters `limit` and `offset`. */
export function rangeFields(limit = 10) {
  return {
    limit: limitField(limit, 25),
    offset: Type.Optional(
      Type.Integer({ description: 'Number of results to skip.', minimum: 0, default: 0, examples: [0] }),
    ),
  };
}
