/** Returns the address of an action on a page, such as `/edit/garden/roses`. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Reader } from '#core/ports/reader.ts';
import { findMoved, findReadable } from '#core/reading/find-page.ts';
import { tailOf, urlOf } from '#http/page-paths.ts';

export { urlOf };

/** Returns the path of the page from the address of a route that ends in `*`. */
export function pathOf({ url, routeOptions }: FastifyRequest): string {
  return `/${tailOf(url, routeOptions.url ?? '')}`;
}

/** Returns the present address for an old one, or undefined while a page that this reader may see is there. */
export async function movedUrl(reader: Reader, prefix: string, path: string): Promise<string | undefined> {
  if (await findReadable(reader, path)) return undefined;
  const movedTo = await findMoved(reader, path);
  return movedTo === undefined ? undefined : urlOf(prefix, movedTo);
}

/** Redirects the former address of a moved page to the present one, for routes that end in `*`. */
export async function followMove(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const prefix = request.routeOptions.url?.replace(/\/\*$/, '') ?? '';
  const moved = await movedUrl(request.reader, prefix, pathOf(request));
  return moved === undefined ? undefined : reply.redirect(moved, 308);
}

/** Returns the query of the request with its question mark, or an empty text. */
export function queryOf(request: FastifyRequest): string {
  const at = request.url.indexOf('?');
  return at < 0 ? '' : request.url.slice(at);
}
