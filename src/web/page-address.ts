/** Addresses of what can be done to a page, such as `/edit/garden/roses`. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findMoved, findReadable } from '#domain/pages/find-page.ts';
import type { Reader } from '#domain/reader.ts';
import { tailOf, urlOf } from '#http/page-paths.ts';

/** Path of the page in the address of a route that ends in `*`. */
export function pathOf({ url, routeOptions }: FastifyRequest): string {
  return `/${tailOf(url, routeOptions.url ?? '')}`;
}

/** Present address for an old one; undefined while a page that this reader can see lives there. */
export async function movedUrl(reader: Reader, prefix: string, path: string): Promise<string | undefined> {
  if (await findReadable(reader, path)) return undefined;
  const movedTo = await findMoved(reader, path);
  return movedTo === undefined ? undefined : urlOf(prefix, movedTo);
}

/** For routes that end in `*`: an address of a page that was moved leads to the present one. */
export async function followMove(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const prefix = request.routeOptions.url?.replace(/\/\*$/, '') ?? '';
  const moved = await movedUrl(request.reader, prefix, pathOf(request));
  return moved === undefined ? undefined : reply.redirect(moved, 308);
}
