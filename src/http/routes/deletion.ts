/** Deleting pages, which puts them into the trash. */
import { Type } from 'typebox';
import { component, option } from '#core/operations/fields.ts';
import { deletionFields } from '#core/operations/schemas.ts';
import { deletePage } from '#core/pages/delete-page.ts';
import { matchedChanges } from '../etag.ts';
import { pathParameter } from '../schemas/output.ts';
import type { Server, Service } from '../service.ts';

export async function deletionRoutes(server: Server, { store, clock }: Service): Promise<void> {
  server.delete(
    '/v1/pages/*',
    {
      config: { audit: ['page-deleted'], access: 'required', scope: 'write', subtree: 'within' },
      schema: {
        operationId: 'deletePage',
        tags: ['Trash'],
        summary: 'Delete a page',
        description:
          'Moves the page to the trash, from where it can be restored. Its path becomes free, and links to it become wanted links. Requires permission to edit the page; with `subtree=true`, to edit every page beneath it as well. Afterwards reads get 410 if the caller could read the page, otherwise 404.',
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
        problems: ['not-permitted', 'not-found', 'gone', 'pages-beneath', 'edit-conflict'],
      },
    },
    async ({ actor, params, query, headers }) => {
      const how = { subtree: query.subtree, matches: matchedChanges(headers['if-match']) };
      return { trash: await deletePage(store, actor, params.path, how, clock()) };
    },
  );
}
