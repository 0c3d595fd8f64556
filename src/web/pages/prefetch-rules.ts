/**
 * Speculation rules: which pages a browser may prefetch when a pointer rests on their link, referenced by a header of every
 * page (HTML, "Speculative loading"; `sendLayout`).
 */
import type { FastifyInstance } from 'fastify';
import { reservedSegments } from '#core/model/path.ts';

export const prefetchRulesUrl = '/assets/prefetch-rules.json';

/** Cheap lists. Everything else except pages is a form, a file, for programs, or expensive. */
const lists = new Set(['map', 'tree', 'updates', 'wanted']);
const otherThanPages = reservedSegments.filter((name) => !lists.has(name));

const rules = {
  prefetch: [
    {
      source: 'document',
      where: {
        and: [
          { href_matches: '/*' },
          {
            not: {
              // Queries select older versions and long lists.
              href_matches: [...otherThanPages.flatMap((name) => [`/${name}`, `/${name}/*`]), '/*\\?(.+)'],
            },
          },
          { not: { selector_matches: '[download]' } },
        ],
      },
      // On hover or touch, but not for merely visible links.
      eagerness: 'moderate',
    },
  ],
};

export function prefetchRulesRoutes(server: FastifyInstance): void {
  server.get(prefetchRulesUrl, async (request, reply) => {
    const savesData = String(request.headers['save-data']).toLowerCase() === 'on';
    return reply
      .header('cache-control', 'public, max-age=3600')
      .header('vary', 'save-data')
      .type('application/speculationrules+json')
      .send(JSON.stringify(savesData ? {} : rules));
  });
}
