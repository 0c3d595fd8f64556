/** Links between pages: those that lead nowhere yet, and those that lead to a page. */
import { Type } from 'typebox';
import { listBacklinks } from '#domain/list-backlinks.ts';
import { requestedLinks } from '#domain/subjects.ts';
import { wantedLinks } from '#domain/wanted-links.ts';
import { countOf, numParameter, pagingHeaders, rangeFields, rangeOf, setPaging } from '../lists.ts';
import { movedAnswer, PageName, pathParameter } from '../schemas.ts';
import type { Server, Service } from '../service.ts';

const tags = ['Links'];

const RequestedLink = Type.Object(
  {
    title: Type.String({ description: 'What pages tried to link to.', examples: ['Pruning'] }),
    links: Type.Array(PageName, {
      description:
        'The pages that asked for it, by title; at most 1,000, and fewer where more than 100 requested links are asked for: 100,000 in all.',
    }),
  },
  { title: 'RequestedLink', description: 'A link target that no page answers to yet.' },
);

export async function linkRoutes(server: Server, service: Service): Promise<void> {
  const { store } = service;

  for (const url of ['/v1/requested', '/v1/requested/:num']) {
    const hasNumber = url.endsWith(':num');
    server.get(
      url,
      {
        config: { access: 'optional', isShared: true },
        schema: {
          operationId: hasNumber ? 'requestedLinksUpTo' : 'requestedLinks',
          tags,
          summary: 'List requested links',
          description:
            'Targets of links that lead nowhere yet, those asked for by most pages first; 25 unless told otherwise.',
          ...(hasNumber ? { params: numParameter(25) } : {}),
          response: { 200: Type.Array(RequestedLink, { description: 'The requested links.' }) },
          problems: hasNumber ? ['invalid'] : [],
        },
      },
      async (request) => {
        const limit = countOf((request.params as { num?: number }).num, 25);
        const wanted = await wantedLinks(store, request.actor, limit);
        request.shows = wanted.flatMap(({ links }) => links.map(({ id }) => id));
        request.madeFrom = [requestedLinks];
        return wanted.map(({ title, links }) => ({
          title,
          links: links.map(({ id, title, path }) => ({ id, title, path })),
        }));
      },
    );
  }

  server.get(
    '/v1/backlinks/*',
    {
      config: { access: 'optional', isShared: true },
      schema: {
        operationId: 'backlinks',
        tags,
        summary: 'List what links to a page',
        description:
          'Pages whose links lead to this one, as far as the caller may see them: by title, or by ID where there are more than 500.',
        params: pathParameter(),
        querystring: Type.Object(rangeFields(100)),
        response: { 200: Type.Array(PageName, { description: 'The linking pages.' }) },
        headersOut: pagingHeaders,
        others: movedAnswer,
        problems: ['invalid', 'not-found'],
      },
    },
    async (request, reply) => {
      const range = rangeOf(request.query, 100);
      const { path } = request.params;
      const { pages, total, madeFrom } = await listBacklinks(store, request.actor, path, range);
      request.madeFrom = madeFrom;
      setPaging(request, reply, range, total);
      request.shows = pages.map(({ id }) => id);
      return pages.map(({ id, title, path }) => ({ id, title, path }));
    },
  );
}
