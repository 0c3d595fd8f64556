/** Whether a path can be used for a page. */

import { component, flag, optionalText } from '#core/operations/fields.ts';
import { checkPath } from '#core/pages/check-path.ts';
import { pathParameter } from '../schemas/output.ts';
import type { Server } from '../service.ts';

const PathCheck = component('PathCheck', 'The result of checking a path.', {
  ok: flag('Whether a page can be created there.', false),
  error: optionalText(
    'Reason why not, as text for people. May contain HTML markup.',
    'A page at <code>/garden</code> already exists.',
  ),
  freePath: optionalText('The next free path, if a page already uses this one.', '/garden-2'),
});

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
          'Says whether a page can be created at a path. The path must be well-formed, unused and not reserved.',
        params: pathParameter('The path to check; may contain slashes.'),
        response: { 200: PathCheck },
      },
    },
    async (request) => checkPath(request.reader, request.params.path),
  );
  server.get('/v1/checkpath', { schema: { hide: true } }, async ({ reader }) => checkPath(reader, ''));
}
