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
    'Everyone, all members, the owner of each page, or the members of a group.',
    'group',
  ),
  group: optionalText('Name of the group.', 'editors'),
  action: oneOf(['read', 'write'], 'Right that they gain or lose.', 'read'),
  pages: pages('Number of affected pages.'),
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
          'Changes permissions, group or both, of the page and every page beneath it, either of all these pages or of none. The owner of the page changes only their own pages; administrators change all. With `dryRun` nothing changes, and the response says who would gain and who would lose access. **Whoever may read a page may also read its history**: `"history": "from now"` keeps earlier contents visible to the owners only.',
        params: pathParameter(),
        body: component('AccessInput', 'The new access; at least one of permissions and group.', {
          permissions: Type.Optional(
            number('Three octal digits. Without them each page keeps its permissions.', 770),
          ),
          group: givenAccess.group,
          history: Type.Optional(
            Type.Literal('from now', {
              description: 'Hides all earlier changes from other readers, and removes former addresses.',
              examples: ['from now'],
            }),
          ),
          msg: optionalText('Message of the changes.', 'For the board alone'),
          dryRun: option('Only reports the effect; changes nothing.', true),
        }),
        response: {
          200: component('AccessPlan', 'Effect on pages and on who may read and write them.', {
            pages: pages('Number of pages that change.'),
            kept: pages(
              'Pages that stay as they are because they belong to others. Only those that the caller may read.',
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
