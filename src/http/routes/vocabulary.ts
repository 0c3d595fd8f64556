/** The types and tags in use, for those who write. */
import { Type } from 'typebox';
import { listVocabulary } from '#domain/search/list-vocabulary.ts';
import { text } from '../schemas/fields.ts';
import type { Server } from '../service.ts';

const pages = Type.Integer({
  description: 'How many of the 500 pages that changed last, of those that the caller may see, have it.',
  minimum: 1,
  examples: [12],
});

const Vocabulary = Type.Object(
  {
    types: Type.Array(Type.Object({ type: text('The type.', 'Place'), count: pages }), {
      description: 'Types, those of most pages first; at most 50.',
    }),
    tags: Type.Array(
      Type.Object({
        key: text('Key of the tag, in lower case.', 'season'),
        value: text('One of its values.', 'summer'),
        count: pages,
      }),
      { description: 'Tags, those of most pages first; at most 50.' },
    ),
  },
  { title: 'Vocabulary', description: 'Types and tags in use.' },
);

export async function vocabularyRoutes(server: Server): Promise<void> {
  server.get(
    '/v1/vocabulary',
    {
      config: { access: 'optional', scope: 'read' },
      schema: {
        operationId: 'vocabulary',
        tags: ['Pages'],
        summary: 'List types and tags in use',
        description:
          'What the 500 pages that changed last, of those that the caller may see, are typed and tagged with: to choose from while writing.',
        response: { 200: Vocabulary },
      },
    },
    async (request) => {
      const { types, tags } = await listVocabulary(request.reader);
      return {
        types: types.map(({ type, count }) => ({ type, count })),
        tags: tags.map(({ key, value, count }) => ({ key, value, count })),
      };
    },
  );
}
