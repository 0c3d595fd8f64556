/** Whether a path can be used for a page. */
import { Type } from 'typebox';
import { checkPath } from '#domain/pages/check-path.ts';
import { flag, text } from '../schemas/fields.ts';
import { pathParameter } from '../schemas/output.ts';
import type { Server } from '../service.ts';

const PathCheck = Type.Object(
  {
    ok: flag('Whether the path will work.', false),
    error: Type.Optional(
      text(
        'Reason why it will not, for showing to a person; may contain HTML markup.',
        'A page at <code>/garden</code> already exists.',
      ),
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
