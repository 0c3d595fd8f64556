/** Paging of all lists: `limit` and `offset` in the query, `X-Total-Count` and `Link: rel="next"` in the response. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { integer, optionalText } from '#core/operations/fields.ts';
import type { Range } from '#core/ports/list-reads.ts';

/** Path parameter for routes with a limit in their path; `otherwise` is its default. */
export function numParameter(otherwise: number) {
  return Type.Object({
    num: integer(`How many to return (${otherwise} without). Above 1,000 counts as 1,000.`, otherwise, {
      minimum: 1,
    }),
  });
}

/** Sets the headers for the total and the next page. `given`: number of items in this response, if fewer than `limit`. */
export function setPaging(
  request: FastifyRequest,
  reply: FastifyReply,
  { limit, offset }: Range,
  total: number,
  given = limit,
): void {
  reply.header('x-total-count', String(total));
  if (offset + given < total) linkNext(request, reply, { limit, offset: offset + given });
}

export const cursorField = optionalText(
  'Instead of `offset`: empty for the first pages, then as `Link: rel="next"` has it. Pages that come and go meanwhile repeat or skip none; one whose title or time of change is other than before has moved in an order by these.',
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

export const pagingHeaders = {
  'X-Total-Count': { description: 'How many match in all, as far as the caller may see.', example: '42' },
  Link: {
    description: 'Address of the next ones; absent on the last page.',
    example: '</v1/pages?type=Place&limit=10&offset=10>; rel="next"',
  },
} as const;
