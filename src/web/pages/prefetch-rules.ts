/**
 * Which pages a browser may fetch as soon as a pointer rests on a link to them, so that they are there when it is pressed:
 * speculation rules, named by a header of every page (HTML, "Speculative loading"; `sendLayout`).
 */
import type { FastifyInstance } from 'fastify';
import { reservedSegments } from '#domain/pages/path.ts';

export const prefetchRulesUrl = '/assets/prefetch-rules.json';

/** Lists that cost little. Everything else except pages is a form, a file, an address for programs, or rate-limited as expensive. */
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
              // Queries ask for older versions and for long lists.
              href_matches: [...otherThanPages.flatMap((name) => [`/${name}`, `/${name}/*`]), '/*\\?(.+)'],
            },
          },
          { not: { selector_matches: '[download]' } },
        ],
      },
      // Eagerness: a resting pointer or a finger going down, never a link that is merely visible.
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
