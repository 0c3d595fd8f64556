/** Addresses of a former MediaWiki: `/index.php?title=Oak` redirects to `/wiki/Oak`, an alias made by the import. */
import type { FastifyInstance } from 'fastify';
import { encodePath, readPath } from '#core/model/path.ts';
import { Problem } from '#core/model/problem.ts';
import { say } from '#words/say.ts';

export function oldAddressRoutes(server: FastifyInstance): void {
  server.get<{ Querystring: { title?: string | string[] } }>('/index.php', async (request, reply) => {
    const { title } = request.query;
    const read =
      typeof title === 'string' && title.trim() !== ''
        ? readPath(`/wiki/${title.replaceAll(' ', '_').replaceAll('?', '%3F')}`)
        : undefined;
    if (!read || 'problem' in read)
      throw new Problem('not-found', say('oldAddresses.thereIsNothingAtThisAddress'));
    return reply.redirect(encodePath(read.path), 308);
  });
}
