/** Recent updates. */
import { Type } from 'typebox';
import { component, integer, text } from '#core/operations/fields.ts';
import { MemberName } from '#core/operations/schemas.ts';
import { updateList, updateListUpTo } from '#core/pages/reading-operations.ts';
import { numParameter } from '../lists.ts';
import { carryFor, descriptionOf, limitsOf } from '../operation-routes.ts';
import type { Server, Service } from '../service.ts';

const Update = component('Update', 'The most recent update of a page.', {
  title: text('Page title.', 'Roses'),
  path: text('Page path.', '/garden/roses'),
  timestamp: integer("Time of the page's latest update, Unix seconds.", 1773480413),
  editor: MemberName,
});

export async function updateRoutes(server: Server, service: Service): Promise<void> {
  for (const url of ['/v1/updates', '/v1/updates/:num']) {
    const hasNumber = url.endsWith(':num');
    const operation = hasNumber ? updateListUpTo : updateList;
    server.get(
      url,
      {
        config: { ...limitsOf(operation), isShared: true },
        schema: {
          ...descriptionOf(operation),
          tags: ['Updates'],
          ...(hasNumber ? { params: numParameter(10) } : {}),
          response: { 200: Type.Array(Update, { description: 'The updates, latest first.' }) },
        },
      },
      async (request) => {
        const { num } = request.params as { num?: number };
        const updates = await carryFor(service, request)(operation, num === undefined ? {} : { num });
        return updates.map(({ title, path, at, editor }) => ({
          title,
          path,
          timestamp: Math.floor(at / 1000),
          editor: { id: editor.id, name: editor.name },
        }));
      },
    );
  }
}
