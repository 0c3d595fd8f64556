/** Links between pages: wanted links and backlinks. */
import { Type } from 'typebox';
import { component, text } from '#core/operations/fields.ts';
import { rangeFields, rangeOf } from '#core/operations/paging.ts';
import { backlinkList, wantedList, wantedListUpTo } from '#core/pages/reading-operations.ts';
import type { wantedLinks } from '#core/pages/wanted-links.ts';
import { digestOf, tagOf } from '../etag.ts';
import { numParameter, pagingHeaders, setPaging } from '../lists.ts';
import { carryFor, descriptionOf, limitsOf } from '../operation-routes.ts';
import { type CachedBodies, jsonArray, ownBuffer } from '../response-cache/bodies.ts';
import { movedAnswer, PageName, pathParameter } from '../schemas/output.ts';
import type { Server, Service } from '../service.ts';

const tags = ['Links'];

const RequestedLink = component('RequestedLink', 'A link target for which there is no page yet.', {
  title: text('Target of the links.', 'Pruning'),
  links: Type.Array(PageName, {
    description:
      'Pages that link to the target, by title. At most 1,000 for each target, and fewer if more than 100 targets are listed: at most 100,000 in all.',
  }),
});

export async function linkRoutes(server: Server, service: Service, bodies: CachedBodies): Promise<void> {
  const known: KnownTexts = new WeakMap();

  for (const url of ['/v1/requested', '/v1/requested/:num']) {
    const hasNumber = url.endsWith(':num');
    const operation = hasNumber ? wantedListUpTo : wantedList;
    server.get(
      url,
      {
        config: { ...limitsOf(operation), isShared: true },
        schema: {
          ...descriptionOf(operation),
          tags,
          ...(hasNumber ? { params: numParameter(25) } : {}),
          response: { 200: Type.Array(RequestedLink, { description: 'The requested links.' }) },
        },
      },
      async (request, reply) => {
        const { num } = request.params as { num?: number };
        const wanted = await carryFor(service, request)(operation, num === undefined ? {} : { num });
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
      config: { ...limitsOf(backlinkList), isShared: true },
      schema: {
        ...descriptionOf(backlinkList),
        tags,
        params: pathParameter(),
        querystring: Type.Object(rangeFields(100)),
        response: { 200: Type.Array(PageName, { description: 'The linking pages.' }) },
        headersOut: pagingHeaders,
        others: movedAnswer,
      },
    },
    async (request, reply) => {
      const range = rangeOf(request.query, 100);
      const { path } = request.params;
      const { pages, total } = await carryFor(service, request)(backlinkList, { path, ...range });
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
