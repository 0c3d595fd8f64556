/** Recent updates. */
import { Type } from 'typebox';
import { component, integer, text } from '#core/operations/fields.ts';
import { countOf } from '#core/operations/paging.ts';
import { MemberName } from '#core/operations/schemas.ts';
import { recentUpdates } from '#core/pages/recent-updates.ts';
import { numParameter } from '../lists.ts';
import type { Server } from '../service.ts';

const Update = component('Update', 'The most recent update of a page.', {
  title: text('Page title.', 'Roses'),
  path: text('Page path.', '/garden/roses'),
  timestamp: integer("Time of the page's latest update, Unix seconds.", 1773480413),
  editor: MemberName,
});

export async function updateRoutes(server: Server): Promise<void> {
  for (const url of ['/v1/updates', '/v1/updates/:num']) {
    const hasNumber = url.endsWith(':num');
    server.get(
      url,
      {
        config: { access: 'optional', scope: 'read', subtree: 'within', isShared: true },
        schema: {
          operationId: hasNumber ? 'updatesUpTo' : 'updates',
          tags: ['Updates'],
          summary: 'List recent updates',
          description: 'The most recently updated pages, each once; 10 by default.',
          ...(hasNumber ? { params: numParameter(10) } : {}),
          response: { 200: Type.Array(Update, { description: 'The updates, latest first.' }) },
        },
      },
      async (request) => {
        const limit = countOf((request.params as { num?: number }).num, 10);
        const updates = await recentUpdates(request.reader, limit);
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
