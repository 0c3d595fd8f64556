/** Deleting pages, and the trash. */
import { Type } from 'typebox';
import {
  component,
  exampleTime,
  idField,
  integer,
  option,
  optionalText,
  text,
} from '#core/operations/fields.ts';
import { rangeFields, rangeOf } from '#core/operations/paging.ts';
import { MemberName } from '#core/operations/schemas.ts';
import { deletePage } from '#core/pages/delete-page.ts';
import type { Deletion } from '#core/ports/trash-store.ts';
import { listTrash } from '#core/trash/list-trash.ts';
import { purgeDeletion } from '#core/trash/purge-trash.ts';
import { restorePage } from '#core/trash/restore-page.ts';
import { matchedChanges } from '../etag.ts';
import { pagingHeaders, setPaging } from '../lists.ts';
import { pageJson } from '../page-json.ts';
import { Page, pathParameter } from '../schemas/output.ts';
import { pathExample } from '../schemas/page-fields.ts';
import type { HttpSettings, Server, Service } from '../service.ts';

const tags = ['Trash'];

const fields = {
  id: idField('ID of the deletion.', 4),
  path: text('Path of the page that was deleted.', pathExample),
  title: text('Its title.', 'Roses'),
  pages: integer('How many pages went with it, itself included, as far as the caller could read them.', 3, {
    minimum: 1,
  }),
};

const TrashEntry = component('TrashEntry', 'A deletion that can be undone.', {
  ...fields,
  deletedAt: text('When it was deleted.', exampleTime),
  deletedBy: MemberName,
});

const params = Type.Object({ id: idField('ID of the deletion.', 4) });

export async function trashRoutes(server: Server, service: Service, settings: HttpSettings): Promise<void> {
  const { store, files, clock } = service;

  server.delete(
    '/v1/pages/*',
    {
      config: { audit: ['page-deleted'], access: 'required', scope: 'write', subtree: 'within' },
      schema: {
        operationId: 'deletePage',
        tags,
        summary: 'Delete a page',
        description:
          'Moves the page to the trash, from where it can be restored. Its path is free then, and links to it are wanted. Needs permission to edit it; with `subtree=true`, to edit every page beneath it as well. Reads answer 410 from then on to whoever could read it, 404 to everybody else.',
        params: pathParameter(),
        querystring: Type.Object({
          subtree: option(
            'Deletes all pages beneath it as well; without, pages beneath refuse the deletion.',
            true,
          ),
        }),
        response: {
          200: component('DeletedPage', 'The deletion of the page.', {
            trash: component('Deleted', 'The deletion, by which it can be undone.', fields),
          }),
        },
        headersIn: {
          'If-Match': {
            description:
              'ETags of the page, or `"<change id>"`: unless one of them names its latest change, nothing is done, and the answer is 412.',
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

  server.get(
    '/v1/trash',
    {
      config: { access: 'required', scope: 'read', subtree: 'within' },
      schema: {
        operationId: 'trash',
        tags,
        summary: 'List the trash',
        description:
          'Deletions, latest first: administrators see all, other members those of pages that they could read.',
        querystring: Type.Object(rangeFields(100)),
        response: { 200: Type.Array(TrashEntry, { description: 'The deletions.' }) },
        headersOut: pagingHeaders,
      },
    },
    async (request, reply) => {
      const range = rangeOf(request.query, 100);
      const { deletions, total } = await listTrash(request.reader, range);
      setPaging(request, reply, range, total);
      return deletions.map(entryJson);
    },
  );

  server.post(
    '/v1/trash/:id/restore',
    {
      config: { audit: ['page-restored'], access: 'required', scope: 'write', subtree: 'within' },
      schema: {
        operationId: 'restorePage',
        tags,
        summary: 'Restore a deleted page',
        description:
          'Brings it back with everything that was deleted along: pages beneath, history, files, likes, old paths. To the path that it had, or to `path`. It lies beneath the nearest of its former ancestors that is still there; with `path`, beneath the page right above that path if there is one. Needs permission to edit every page of it.',
        params,
        body: component('Restoration', 'Parent to restore a page to.', {
          path: optionalText('Another path for it.', '/park/roses'),
        }),
        response: {
          200: component('RestoredPage', 'The page, as it was.', { page: Page }),
        },
        problems: ['path-taken', 'path-reserved', 'not-permitted', 'not-found'],
      },
    },
    async ({ actor, params, body }) => ({
      page: pageJson(await restorePage(store, actor, params.id, body, clock()), settings.baseUrl),
    }),
  );

  server.delete(
    '/v1/trash/:id',
    {
      config: { audit: ['page-purged'], access: 'required', scope: 'admin', subtree: 'refused' },
      schema: {
        operationId: 'purgePage',
        tags,
        summary: 'Delete for good',
        description:
          'For administrators: removes a deletion from the trash, with the history, files and likes of its pages. Nothing brings them back but a backup.',
        params,
        others: { 204: 'It is gone.' },
        problems: ['administrators-only', 'not-found'],
      },
    },
    async ({ actor, params }) => purgeDeletion(store, files.store, actor, params.id, clock()),
  );
}

function entryJson({ id, path, title, pages, deletedAt, deletedBy }: Deletion) {
  return { id, path, title, pages, deletedAt: new Date(deletedAt).toISOString(), deletedBy };
}
