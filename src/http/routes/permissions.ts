/** Permissions and group of a page and everything beneath it, and what a change of them would mean. */
import { Type } from 'typebox';
import { type AccessPlan, changeAccess } from '#domain/pages/change-access.ts';
import { count, text } from '../schemas/fields.ts';
import { pathParameter } from '../schemas/output.ts';
import { givenAccess } from '../schemas/page-fields.ts';
import type { Server, Service } from '../service.ts';

const pages = (description: string) => count(description, 12);

const Difference = Type.Object(
  {
    who: Type.Union(
      [Type.Literal('everyone'), Type.Literal('members'), Type.Literal('owners'), Type.Literal('group')],
      {
        description: 'Everyone, all members, the owner of each page, or those in a group.',
        examples: ['group'],
      },
    ),
    group: Type.Optional(text('Name of the group.', 'editors')),
    action: Type.Union([Type.Literal('read'), Type.Literal('write')], {
      description: 'Right that is gained or lost.',
      examples: ['read'],
    }),
    pages: pages('Number of the pages concerned.'),
  },
  {
    title: 'AccessDifference',
    description: 'Readers or writers who gain or lose access.',
  },
);

export async function permissionRoutes(server: Server, { store, clock }: Service): Promise<void> {
  server.post(
    '/v1/permissions/*',
    {
      config: { audit: ['permissions-changed'], access: 'required', scope: 'write' },
      schema: {
        operationId: 'changePermissions',
        tags: ['Groups'],
        summary: 'Change the access of a subtree',
        description:
          'Permissions, group or both, of the page and every page beneath it: all in one operation, or none. For the owner of the page, whose own pages change and no others, and for administrators. With `dryRun` nothing changes, and the answer says who would gain and who would lose access. **Whoever may read a page may read its history, too**: `"history": "from now"` keeps what the pages said before for their owners.',
        params: pathParameter(),
        body: Type.Object(
          {
            permissions: Type.Optional(
              Type.Number({
                description: 'Three octal digits; left out: as each page has them.',
                examples: [770],
              }),
            ),
            group: givenAccess.group,
            history: Type.Optional(
              Type.Literal('from now', {
                description: 'Hides all earlier changes from other readers, and forgets former addresses.',
                examples: ['from now'],
              }),
            ),
            msg: Type.Optional(text('Message of the changes.', 'For the board alone')),
            dryRun: Type.Optional(
              Type.Boolean({
                description: 'Only reports the effect; changes nothing.',
                default: false,
                examples: [true],
              }),
            ),
          },
          { title: 'AccessInput', description: 'The new access; at least one of permissions and group.' },
        ),
        response: {
          200: Type.Object(
            {
              pages: pages('How many pages change.'),
              kept: pages(
                'Pages that stay as they are, as they belong to others: those that the caller may read.',
              ),
              gains: Type.Array(Difference, { description: 'Gained access.' }),
              loses: Type.Array(Difference, { description: 'Lost access.' }),
            },
            { title: 'AccessPlan', description: 'Effect on pages and on who may read and write them.' },
          ),
        },
        problems: ['invalid', 'unauthenticated', 'not-permitted', 'not-found', 'gone', 'insufficient-scope'],
      },
    },
    async ({ actor, params, body: { dryRun = false, ...input } }) =>
      planJson(await changeAccess(store, actor, params.path, input, dryRun, clock())),
  );
}

function planJson({ pages, kept, gains, loses }: AccessPlan) {
  return { pages, kept, gains, loses };
}
