/** Who can read and edit a page, in full: for those who may change it. */
import { Type } from 'typebox';
import { maxGrants } from '#core/model/grant.ts';
import { component, flag, integer, oneOf, option, text } from '#core/operations/fields.ts';
import { operation } from '#core/operations/operation.ts';
import { getReadable } from '#core/reading/find-page.ts';
import { accessInFull, refuseForeign } from './access.ts';
import { changeGrants } from './change-grants.ts';

const path = text('Path of the page.', '/board');
const group = text('Name of the group.', 'Board');
const member = integer('ID of the member.', 7, { minimum: 1 });
const may = oneOf(['read', 'write'], 'Right that the grant gives. Writing includes reading.', 'read');
const beneath =
  'Whether the grant also applies to all descendants of the page, including pages that are created or moved there later.';

const Grant = component('Grant', 'A right of a group or a member on a page. It adds to the permissions.', {
  group: Type.Optional(group),
  member: Type.Optional(member),
  name: Type.Optional(text('Name of the member.', 'Ann')),
  may,
  beneath: flag(beneath, true),
});

const InheritedGrant = component('InheritedGrant', 'A grant that holds because of a page above.', {
  from: text('Path of the page that has the grant.', '/board'),
  ...Grant.properties,
});

const PageAccess = component(
  'PageAccessInFull',
  'The permissions and grants that decide who can read and edit a page.',
  {
    code: Type.Integer({ description: 'Permissions: three octal digits.', examples: [770] }),
    group: text('Group to which the second digit applies; `members` for all members.', 'members'),
    grants: Type.Array(Grant, { description: 'Grants of the page itself.' }),
    inherited: Type.Array(InheritedGrant, { description: 'Grants of pages above that hold beneath them.' }),
    summary: text(
      'The effect of permissions and grants in one sentence.',
      'Only the owner, the group “Board” and 2 people can read and edit',
    ),
  },
);

const effects = {
  access: 'self',
  subtree: 'within',
  output: PageAccess,
  ports: ['store'],
  problems: ['not-found', 'gone', 'not-permitted'],
} as const;

export const readAccess = operation({
  ...effects,
  name: 'readAccess',
  summary: 'Read who can read and edit a page',
  description: 'For the owner of the page and administrators.',
  scope: 'read',
  input: Type.Object({ path }),
  async run({ store }, { input, by }) {
    const page = await getReadable(store.readAs(by), input.path);
    refuseForeign(by, page);
    return accessInFull(store, page);
  },
});

export const changeAccess = operation({
  ...effects,
  name: 'changeAccess',
  summary: 'Share a page with groups and members',
  description:
    'Replaces the grants of the page. For its owner, who can name the groups that they are in, and for administrators. Grants add to the permissions and take nothing away. With `beneath` they also hold for all pages beneath, also for pages that are created there or moved there later.',
  scope: 'write',
  writesPages: true,
  input: component('AccessGrants', 'Grants of a page.', {
    path,
    grants: Type.Array(
      Type.Object({
        group: Type.Optional(group),
        member: Type.Optional(member),
        may,
        beneath: option(beneath),
      }),
      { maxItems: maxGrants, description: 'All grants of the page itself; each names a group or a member.' },
    ),
  }),
  problems: ['not-found', 'gone', 'not-permitted', 'protected', 'blocked'],
  writes: 'itself',
  audit: ['permissions-changed'],
  run: ({ store }, { input, by, now }) =>
    store.transact(async (store) =>
      accessInFull(store, await changeGrants(store, by, input.path, input.grants, now)),
    ),
});
