/** Links between pages: wanted links and backlinks. */
import { Type } from 'typebox';
import { component, text } from '#core/operations/fields.ts';
import { countOf, rangeFields, rangeOf } from '#core/operations/paging.ts';
import { listBacklinks } from '#core/pages/list-backlinks.ts';
import { wantedLinks } from '#core/pages/wanted-links.ts';
import { digestOf, tagOf } from '../etag.ts';
import { numParameter, pagingHeaders, setPaging } from '../lists.ts';
import { type CachedBodies, jsonArray, ownBuffer } from '../response-cache/bodies.ts';
import { movedAnswer, PageName, pathParameter } from '../schemas/output.ts';
import type { Server } from '../service.ts';

const tags = ['Links'];

const RequestedLink = component('RequestedLink', 'A link target for which there is no page yet.', {
  title: text('Target of the links.', 'Pruning'),
  links: Type.Array(PageName, {
    description:
      'Pages that link to it, by title. At most 1,000; fewer if more than 100 requested links are listed, at most 100,000 in all.',
  }),
});

export async function linkRoutes(server: Server, bodies: CachedBodies): Promise<void> {
  const known: KnownTexts = new WeakMap();

  for (const url of ['/v1/requested', '/v1/requested/:num']) {
    const hasNumber = url.endsWith(':num');
    server.get(
      url,
      {
        config: { access: 'optional', scope: 'read', subtree: 'within', isShared: true },
        schema: {
          operationId: hasNumber ? 'requestedLinksUpTo' : 'requestedLinks',
          tags,
          summary: 'List requested links',
          description:
            'Targets of links for which there is no page yet, those with most linking pages first; 25 by default.',
          ...(hasNumber ? { params: numParameter(25) } : {}),
          response: { 200: Type.Array(RequestedLink, { description: 'The requested links.' }) },
        },
      },
      async (request, reply) => {
        const limit = countOf((request.params as { num?: number }).num, 25);
        const wanted = await wantedLinks(request.reader, limit);
        const texts = wanted.map((link) => textOf(link, known));
        const tag = tagOf(texts.map(({ digest }) => digest));
        reply.header('etag', tag).type('application/json; charset=utf-8');
        const body = bodies.spill(jsonArray(texts.map(({ bytes }) => [bytes])));
        return reply.send(body as never) as never;
      },
    );
  }

  server.get(
    '/v1/backlinks/*',
    {
      config: { access: 'optional', scope: 'read', subtree: 'within', isShared: true },
      schema: {
        operationId: 'backlinks',
        tags,
        summary: 'List backlinks of a page',
        description:
          'Pages that link to this one and that the caller may see: by title, or by ID if there are more than 500.',
        params: pathParameter(),
        querystring: Type.Object(rangeFields(100)),
        response: { 200: Type.Array(PageName, { description: 'The linking pages.' }) },
        headersOut: pagingHeaders,
        others: movedAnswer,
        problems: ['not-found', 'gone'],
      },
    },
    async (request, reply) => {
      const range = rangeOf(request.query, 100);
      const { path } = request.params;
      const { pages, total } = await listBacklinks(request.reader, path, range);
      setPaging({ request, reply }, range, total);
      return pages.map(({ id, title, path }) => ({ id, title, path }));
    },
  );
}

/** JSON of one wanted link. */
interface Text {
  bytes: Buffer;
  /** Differs if the bytes do. */
  digest: string;
}

type WantedLink = Awaited<ReturnType<typeof wantedLinks>>[number];
/** Keyed by the lists that the store caches, and dropped together with them. */
type KnownTexts = WeakMap<WantedLink['links'], Text>;

function textOf({ title, links }: WantedLink, known: KnownTexts): Text {
  const before = known.get(links);
  if (before) return before;
  const named = links.map(({ id, title, path }) => ({ id, title, path }));
  const bytes = ownBuffer(JSON.stringify({ title, links: named }));
  const text = { bytes, digest: digestOf([bytes]) };
  known.set(links, text);
  return text;
}
