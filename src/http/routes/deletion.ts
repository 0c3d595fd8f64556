/** Deleting pages, which puts them into the trash. */
import { Type } from 'typebox';
import { component, option } from '#core/operations/fields.ts';
import { deletionFields } from '#core/operations/schemas.ts';
import { pageDeletion } from '#core/pages/operations.ts';
import { matchedChanges } from '../etag.ts';
import { carryFor, descriptionOf, limitsOf } from '../operation-routes.ts';
import { pathParameter } from '../schemas/output.ts';
import type { Server, Service } from '../service.ts';

export async function deletionRoutes(server: Server, service: Service): Promise<void> {
  server.delete(
    '/v1/pages/*',
    {
      config: limitsOf(pageDeletion),
      schema: {
        ...descriptionOf(pageDeletion),
        tags: ['Trash'],
        params: pathParameter(),
        querystring: Type.Object({
          subtree: option(
            'Deletes all pages beneath it, too. Without it, the deletion is refused if there are pages beneath.',
            true,
          ),
        }),
        response: {
          200: component('DeletedPage', 'The deletion of the page.', {
            trash: component('Deleted', 'The deletion, which can be undone.', deletionFields),
          }),
        },
        headersIn: {
          'If-Match': {
            description:
              'ETags of the page, or `"<change id>"`. If none of them names its latest change, nothing is done and the status is 412.',
            example: '"41"',
          },
        },
      },
    },
    async (request) => {
      const { subtree = false } = request.query;
      const input = {
        path: request.params.path,
        subtree,
        matches: matchedChanges(request.headers['if-match']),
      };
      return { trash: await carryFor(service, request)(pageDeletion, input) };
    },
  );
}
