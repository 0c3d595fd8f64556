/** Paging of all lists: `limit` and `offset` in the query, `X-Total-Count` and `Link: rel="next"` in the response. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { integer, optionalText } from '#core/operations/fields.ts';
import type { Range } from '#core/ports/list-reads.ts';

/** Path parameter for routes with a limit in their path; `otherwise` is its default. */
export function numParameter(otherwise: number) {
  return Type.Object({
    num: integer(
      `Number of results to return; the default is ${otherwise}. Values above 1,000 count as 1,000.`,
      otherwise,
      {
        minimum: 1,
      },
    ),
  });
}

/** Sets the headers for the total and the next page. `given`: number of items in this response, if fewer than `limit`. */
export function setPaging(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { limit, offset }: Range,
  total: number,
  given = limit,
): void {
  reply.header('x-total-count', String(total));
  if (offset + given < total) linkNext(request, reply, { limit, offset: offset + given });
}

export const cursorField = optionalText(
  'Instead of `offset`: empty for the first pages, then the value from `Link: rel="next"`. Pages that are added or removed meanwhile are neither repeated nor skipped. In an order by title or by time of change, a page moves when that value changes.',
  '',
);

/** Sets the header for the next page of a list by its cursor. */
export function setNext(
  request: FastifyRequest,
  reply: FastifyReply,
  limit: number,
  cursor: string | undefined,
): void {
  if (cursor !== undefined) linkNext(request, reply, { limit, cursor });
}

/** RFC 8288: URL on the same server, with the same query except for the position in the list. */
function linkNext(
  request: FastifyRequest,
  reply: FastifyReply,
  place: Record<string, string | number>,
): void {
  const { pathname, searchParams } = new URL(request.url, 'http://wiki.invalid');
  for (const [name, value] of Object.entries(place)) searchParams.set(name, String(value));
  reply.header('link', `<${pathname}?${searchParams}>; rel="next"`);
}

export const nextHeader = {
  Link: {
    description: 'URL of the next results. Absent on the last page.',
    example: '</v1/pages?type=Place&limit=10&offset=10>; rel="next"',
  },
} as const;

export const pagingHeaders = {
  'X-Total-Count': { description: 'Number of all matches that the caller may see.', example: '42' },
  ...nextHeader,
} as const;
