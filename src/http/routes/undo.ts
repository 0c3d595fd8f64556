/** Undoing all that a member changed since a time: for moderators. */
import { Type } from 'typebox';
import { type Undone, undoChanges } from '#domain/pages/undo-changes.ts';
import { count, idField, text } from '../schemas/fields.ts';
import type { Server, Service } from '../service.ts';

const whole = (description: string, example: number) => count(description, example);

const UndonePage = Type.Object(
  {
    id: idField('Page ID.', 12),
    path: text('Its path.', '/garden/roses'),
    title: text('Its title.', 'Roses'),
    changes: whole("How many of the member's changes it has since then.", 3),
    outcome: Type.Union(
      [
        Type.Literal('undone'),
        Type.Literal('merged'),
        Type.Literal('conflict'),
        Type.Literal('deleted'),
        Type.Literal('left'),
      ],
      {
        description:
          '`undone`: it says what it said before. `merged`: so it does, with what others changed since. `conflict`: others changed the same since, or what it said before was erased; nothing was done. `deleted`: the member made it and nobody else changed it, so it is in the trash. `left`: there is nothing to undo, or the member made it and others wrote on, or have pages beneath it.',
        examples: ['undone'],
      },
    ),
  },
  { title: 'UndonePage', description: 'A page that the member changed, and what became of it.' },
);

export async function undoRoutes(server: Server, { store, clock }: Service): Promise<void> {
  server.post(
    '/v1/members/:id/undo',
    {
      config: { audit: ['changes-undone'], access: 'required', scope: 'admin' },
      schema: {
        operationId: 'undoMember',
        tags: ['History'],
        summary: 'Undo all changes of a member',
        description:
          'For moderators, on pages that they may write or that anyone may read, and for administrators. Each page that the member changed since a time says again what it said before, in one operation: later edits of others are kept, by merging as an edit does. Where pages lie and who may read them stays as it is. With `dryRun` nothing changes, and the answer is what would happen. At most 1,000 pages, those changed last; `more` says how many are left for another time.',
        params: Type.Object({ id: idField('Member ID.', 3) }),
        body: Type.Object(
          {
            since: Type.String({
              description: 'Changes at this moment and later are undone; ISO 8601.',
              format: 'date-time',
              examples: ['2026-03-14T09:00:00Z'],
            }),
            msg: Type.Optional(text('Message of the changes.', 'Undid advertisements')),
            dryRun: Type.Optional(
              Type.Boolean({
                description: 'Only reports the effect; changes nothing.',
                default: false,
                examples: [true],
              }),
            ),
          },
          { title: 'UndoInput', description: 'Since when.' },
        ),
        response: {
          200: Type.Object(
            {
              pages: Type.Array(UndonePage, { description: 'Outcome for each page, deepest ones first.' }),
              more: whole('Pages beyond the limit, which stay as they are.', 0),
            },
            { title: 'Undone', description: 'Result of the undo.' },
          ),
        },
        problems: ['invalid', 'unauthenticated', 'moderators-only', 'not-found', 'insufficient-scope'],
      },
    },
    async ({ actor, params, body: { since, msg, dryRun } }) => {
      const input = { since: Date.parse(since), msg, isDry: dryRun };
      return undoneJson(await undoChanges(store, actor, params.id, input, clock()));
    },
  );
}

function undoneJson({ pages, more }: Undone) {
  return { pages, more };
}
