/** Likes. */

import { Type } from 'typebox';
import { component } from '#core/operations/fields.ts';
import { likePage, unlikePage } from '#core/pages/like-page.ts';
import { pathParameter } from '../schemas/output.ts';
import type { Server, Service } from '../service.ts';

const Likes = component('Likes', 'Members who like a page.', {
  likes: Type.Array(Type.Integer(), {
    description: 'IDs of the members who like the page now.',
    examples: [[3, 8]],
  }),
});

export async function likeRoutes(server: Server, service: Service): Promise<void> {
  const { store, clock } = service;
  const schema = {
    tags: ['Likes'],
    params: pathParameter(),
    response: { 200: Likes },
  };

  server.put(
    '/v1/likes/*',
    {
      config: { audit: [], access: 'required', scope: 'write', subtree: 'within' },
      schema: {
        ...schema,
        operationId: 'likePage',
        summary: 'Like a page',
        description: 'Liking a page twice has the same effect as liking it once.',
        problems: ['not-found', 'gone'],
      },
    },
    async (request) => ({ likes: await likePage(store, request.actor, request.params.path, clock()) }),
  );

  server.delete(
    '/v1/likes/*',
    {
      config: { audit: [], access: 'required', scope: 'write', subtree: 'within' },
      schema: {
        ...schema,
        operationId: 'unlikePage',
        summary: 'Remove a like',
        description: 'Removes the caller’s like, if there is one.',
        problems: ['not-found', 'gone'],
      },
    },
    async (request) => ({ likes: await unlikePage(store, request.actor, request.params.path) }),
  );
}
