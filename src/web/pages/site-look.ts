/** Style sheets of the wiki's own look. */
import type { FastifyInstance } from 'fastify';
import { Problem } from '#core/model/problem.ts';
import type { Site } from '../site.ts';
import type { SiteStyle } from '../site-look.ts';

export function siteLookRoutes(server: FastifyInstance, site: Site): void {
  server.get<{ Params: { version: string; name: string } }>(
    '/assets/site/:version/:name',
    async ({ params }, reply) => {
      const { files, version } = site.look();
      const text = files.get(params.name as SiteStyle);
      if (text === undefined) throw new Problem('not-found', 'There is nothing at this address.');
      // The address of an earlier look must not be cached, because its hash belongs to other content.
      const isCurrent = params.version === version;
      return reply
        .header('cache-control', isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache')
        .type('text/css; charset=utf-8')
        .send(text);
    },
  );
}
