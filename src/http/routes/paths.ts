/** Whether a path can be used for a page. */

import { component, flag, optionalText } from '#core/operations/fields.ts';
import { pathCheck } from '#core/pages/reading-operations.ts';
import { carryFor, descriptionOf, limitsOf } from '../operation-routes.ts';
import { pathParameter } from '../schemas/output.ts';
import type { Server, Service } from '../service.ts';

const PathCheck = component('PathCheck', 'The result of checking a path.', {
  ok: flag('Whether a page can be created there.', false),
  error: optionalText(
    'Reason why not, as text for people. May contain HTML markup.',
    'A page at <code>/garden</code> already exists.',
  ),
  freePath: optionalText('The next free path, if a page already uses this one.', '/garden-2'),
});

export async function pathRoutes(server: Server, service: Service): Promise<void> {
  server.get(
    '/v1/checkpath/*',
    {
      config: { ...limitsOf(pathCheck), isShared: true },
      schema: {
        ...descriptionOf(pathCheck),
        tags: ['Paths'],
        params: pathParameter('The path to check; may contain slashes.'),
        response: { 200: PathCheck },
      },
    },
    (request) => carryFor(service, request)(pathCheck, request.params),
  );
  server.get('/v1/checkpath', { config: { operations: [pathCheck] }, schema: { hide: true } }, (request) =>
    carryFor(service, request)(pathCheck, { path: '' }),
  );
}
