/** Whether a path can be used for a page. */
import { Type } from 'typebox';
import { checkPath } from '#domain/pages/check-path.ts';
import { pathParameter } from '../schemas/output.ts';
import type { Server } from '../service.ts';

const PathCheck = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the path will work.', examples: [false] }),
    error: Type.Optional(
      Type.String({
        description: 'Reason why it will not, for showing to a person; may contain HTML markup.',
        examples: ['A page at <code>/garden</code> already exists.'],
      }),
    ),
  },
  { title: 'PathCheck', description: 'The result of checking a path.' },
);

export async function pathRoutes(server: Server): Promise<void> {
  server.get(
    '/v1/checkpath/*',
    {
      config: { access: 'none', isShared: true },
      schema: {
        operationId: 'checkPath',
        tags: ['Paths'],
        summary: 'Check a path',
        description:
          'Says whether a page can be created at a path: it must be well-formed, unused and not reserved.',
        params: pathParameter('The path to check; may contain slashes.'),
        response: { 200: PathCheck },
      },
    },
    async (request) => {
      const check = await checkPath(request.reader, request.params.path);
      return check;
    },
  );
  server.get('/v1/checkpath', { schema: { hide: true } }, async ({ reader }) => checkPath(reader, ''));
}
