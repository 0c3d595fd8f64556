/** Undoing all changes of a member since a time, for moderators. */
import { Type } from 'typebox';
import { component, count, idField, oneOf, option, optionalText, text } from '#core/operations/fields.ts';
import { undoChanges } from '#core/pages/undo-changes.ts';
import type { Server, Service } from '../service.ts';

const UndonePage = component('UndonePage', 'A page that the member changed, and the result.', {
  id: idField('Page ID.', 12),
  path: text('Its path.', '/garden/roses'),
  title: text('Its title.', 'Roses'),
  changes: count('Number of the member’s changes to the page since then.', 3),
  outcome: oneOf(
    ['undone', 'merged', 'conflict', 'deleted', 'left'],
    '`undone`: the page has its earlier text again. `merged`: it has its earlier text again, merged with later changes of others. `conflict`: others changed the same places since, or the earlier text was erased; nothing was done. `deleted`: the member created the page and nobody else changed it, so it is in the trash. `left`: there is nothing to undo, or the member created the page and others edited it or have pages beneath it.',
    'undone',
  ),
});

export async function undoRoutes(server: Server, { store, clock }: Service): Promise<void> {
  server.post(
    '/v1/members/:id/undo',
    {
      config: { audit: ['changes-undone'], access: 'required', scope: 'admin', subtree: 'refused' },
      schema: {
        operationId: 'undoMember',
        tags: ['History'],
        summary: 'Undo all changes of a member',
        description:
          'For moderators, on pages that they may write or that anyone may read, and for administrators. Each page that the member changed since a time gets its earlier text again, all in one operation. Later edits of others are kept by merging, as in an edit. Paths, parents and permissions stay as they are. With `dryRun` nothing changes, and the response says what would happen. At most 1,000 pages, those changed last; `more` is the number of remaining pages.',
        params: Type.Object({ id: idField('Member ID.', 3) }),
        body: component('UndoInput', 'Since when.', {
          since: Type.String({
            description: 'Changes at this time and later are undone; ISO 8601.',
            format: 'date-time',
            examples: ['2026-03-14T09:00:00Z'],
          }),
          msg: optionalText('Message of the changes.', 'Undid advertisements'),
          dryRun: option('Only reports the effect; changes nothing.', true),
        }),
        response: {
          200: component('Undone', 'Result of the undo.', {
            pages: Type.Array(UndonePage, { description: 'Result for each page, deepest pages first.' }),
            more: count('Pages beyond the limit, which stay as they are.', 0),
          }),
        },
        problems: ['moderators-only', 'not-found', 'insufficient-scope'],
      },
    },
    async ({ actor, params, body: { since, msg, dryRun } }) => {
      const input = { since: Date.parse(since), msg, isDry: dryRun };
      const { pages, more } = await undoChanges({ store, actor, now: clock() }, params.id, input);
      return { pages, more };
    },
  );
}
