/** The tree, one level at a time. */
import { Type } from 'typebox';
import { listChildren } from '#domain/pages/list-children.ts';
import { pagingHeaders, rangeFields, rangeOf, setPaging } from '../lists.ts';
import { movedAnswer, pathParameter } from '../schemas/output.ts';
import type { Server } from '../service.ts';

const Child = Type.Object(
  {
    id: Type.Integer({ description: 'Page ID.', minimum: 1, examples: [12] }),
    title: Type.String({ description: 'Page title.', examples: ['Roses'] }),
    path: Type.String({ description: 'Page path.', examples: ['/garden/roses'] }),
    type: Type.Union([Type.String(), Type.Null()], {
      description: 'Page type, or null.',
      examples: ['Collection'],
    }),
    hasChildren: Type.Boolean({
      description: 'Whether there are pages beneath it that the caller may see.',
      examples: [true],
    }),
  },
  { title: 'Child', description: 'A page in the tree.' },
);

export async function childRoutes(server: Server): Promise<void> {
  for (const url of ['/v1/children', '/v1/children/*']) {
    const hasPath = url.endsWith('*');
    server.get(
      url,
      {
        config: { access: 'optional', scope: 'read', isShared: true },
        schema: {
          operationId: hasPath ? 'children' : 'roots',
          tags: ['Tree'],
          summary: hasPath ? 'List the children of a page' : 'List the root pages',
          description: 'By title, as far as the caller may see them.',
          ...(hasPath ? { params: pathParameter() } : {}),
          querystring: Type.Object(rangeFields(100)),
          response: { 200: Type.Array(Child, { description: 'The pages.' }) },
          headersOut: pagingHeaders,
          ...(hasPath ? { others: movedAnswer } : {}),
          problems: hasPath ? ['invalid', 'not-found', 'gone'] : ['invalid'],
        },
      },
      async (request, reply) => {
        const path = (request.params as { path?: string }).path ?? null;
        const range = rangeOf(request.query, 100);
        const { pages, total } = await listChildren(request.reader, path, range);
        setPaging(request, reply, range, total);
        return pages.map(({ id, title, path, type, hasChildren }) => ({
          id,
          title,
          path,
          type,
          hasChildren,
        }));
      },
    );
  }
}
