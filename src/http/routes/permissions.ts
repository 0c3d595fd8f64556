/** Permissions and group of a page and everything beneath it, and what a change of them would mean. */
import { Type } from 'typebox';
import { component, count, number, oneOf, option, optionalText } from '#core/operations/fields.ts';
import { changeAccess } from '#core/pages/change-access.ts';
import { pathParameter } from '../schemas/output.ts';
import { givenAccess } from '../schemas/page-fields.ts';
import type { Server, Service } from '../service.ts';

const pages = (description: string) => count(description, 12);

const Difference = component('AccessDifference', 'Readers or writers who gain or lose access.', {
  who: oneOf(
    ['everyone', 'members', 'owners', 'group'],
    'Everyone, all members, the owner of each page, or those in a group.',
    'group',
  ),
  group: optionalText('Name of the group.', 'editors'),
  action: oneOf(['read', 'write'], 'Right that is gained or lost.', 'read'),
  pages: pages('Number of the pages concerned.'),
});

export async function permissionRoutes(server: Server, { store, clock }: Service): Promise<void> {
  server.post(
    '/v1/permissions/*',
    {
      config: { audit: ['permissions-changed'], access: 'required', scope: 'write', subtree: 'within' },
      schema: {
        operationId: 'changePermissions',
        tags: ['Groups'],
        summary: 'Change the access of a subtree',
        description:
          'Permissions, group or both, of the page and every page beneath it: all in one operation, or none. For the owner of the page, whose own pages change and no others, and for administrators. With `dryRun` nothing changes, and the answer says who would gain and who would lose access. **Whoever may read a page may read its history, too**: `"history": "from now"` keeps what the pages said before for their owners.',
        params: pathParameter(),
        body: component('AccessInput', 'The new access; at least one of permissions and group.', {
          permissions: Type.Optional(number('Three octal digits; left out: as each page has them.', 770)),
          group: givenAccess.group,
          history: Type.Optional(
            Type.Literal('from now', {
              description: 'Hides all earlier changes from other readers, and forgets former addresses.',
              examples: ['from now'],
            }),
          ),
          msg: optionalText('Message of the changes.', 'For the board alone'),
          dryRun: option('Only reports the effect; changes nothing.', true),
        }),
        response: {
          200: component('AccessPlan', 'Effect on pages and on who may read and write them.', {
            pages: pages('How many pages change.'),
            kept: pages(
              'Pages that stay as they are, as they belong to others: those that the caller may read.',
            ),
            gains: Type.Array(Difference, { description: 'Gained access.' }),
            loses: Type.Array(Difference, { description: 'Lost access.' }),
          }),
        },
        problems: ['not-permitted', 'not-found', 'gone', 'insufficient-scope'],
      },
    },
    async ({ actor, params, body: { dryRun = false, ...input } }) => {
      const plan = await changeAccess(store, actor, params.path, input, dryRun, clock());
      const { pages, kept, gains, loses } = plan;
      return { pages, kept, gains, loses };
    },
  );
}
