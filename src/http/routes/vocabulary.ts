/** Types and tags in use, for writers. */

import { component, integer, objects, text } from '#core/operations/fields.ts';
import { vocabularyList } from '#core/search/operations.ts';
import { carryFor, descriptionOf, limitsOf } from '../operation-routes.ts';
import type { Server, Service } from '../service.ts';

const pages = integer(
  'Number of pages that have this type or tag, among the 500 most recently changed pages that the caller may see.',
  12,
  { minimum: 1 },
);

const Vocabulary = component('Vocabulary', 'Types and tags in use.', {
  types: objects('The 50 most frequent types, most frequent first.', {
    type: text('The type.', 'Place'),
    count: pages,
  }),
  tags: objects('The 50 most frequent tags, most frequent first.', {
    key: text('Key of the tag, in lower case.', 'season'),
    value: text('A value of the tag.', 'summer'),
    count: pages,
  }),
});

export async function vocabularyRoutes(server: Server, service: Service): Promise<void> {
  server.get(
    '/v1/vocabulary',
    {
      config: limitsOf(vocabularyList),
      schema: {
        ...descriptionOf(vocabularyList),
        tags: ['Pages'],
        response: { 200: Vocabulary },
      },
    },
    async (request) => {
      const { types, tags } = await carryFor(service, request)(vocabularyList, {});
      return {
        types: types.map(({ type, count }) => ({ type, count })),
        tags: tags.map(({ key, value, count }) => ({ key, value, count })),
      };
    },
  );
}
