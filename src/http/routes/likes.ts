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
        description: 'The caller likes the page; liking it twice is liking it once.',
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
        summary: 'Take back a like',
        description: 'The caller does not like the page any more, if they ever did.',
        problems: ['not-found', 'gone'],
      },
    },
    async (request) => ({ likes: await unlikePage(store, request.actor, request.params.path) }),
  );
}
