/** Access of a page in full, for members who may change it: everyone who can read and edit the page, and why. */

import { Type } from 'typebox';
import { namesOfGroups } from '#core/members/groups.ts';
import { maxGrants } from '#core/model/grant.ts';
import { maxGroupNameLength } from '#core/model/group-name.ts';
import { parseId } from '#core/model/id.ts';
import type { Member } from '#core/model/member.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import {
  component,
  count,
  flag,
  idField,
  integer,
  literals,
  object,
  oneOf,
  option,
  optionalText,
  orNull,
  text,
} from '#core/operations/fields.ts';
import { converted, operation } from '#core/operations/operation.ts';
import { MemberName } from '#core/operations/schemas.ts';
import {
  type AccessInput,
  type AccessPlan,
  changeAccess as changePermissionsOf,
} from '#core/pages/change-access.ts';
import type { Store } from '#core/ports/store.ts';
import { getReadable, getWhole } from '#core/reading/find-page.ts';
import { say } from '#words/say.ts';
import { accessInFull, grantsOf, type PageAccessInFull, refuseForeign } from './access.ts';
import { changeGrants } from './change-grants.ts';
import { type AccessCheck, checkAccess } from './check-access.ts';

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

const version = (description: string) => text(description, 'group 3 write beneath, member 5 read');

const Reason = component('AccessReason', 'A reason for a right, which suffices by itself.', {
  by: oneOf(
    ['administrator', 'owner', 'everyone', 'members', 'settings', 'group', 'grant'],
    'Role of the member, a digit of the permissions, the settings that name the page as imprint or privacy policy, or a grant.',
    'grant',
  ),
  from: optionalText('Path of the page that has the grant.', '/board'),
  group: Type.Optional(group),
  member: Type.Optional(member),
  name: Type.Optional(text('Name of the member.', 'Ann')),
  may: Type.Optional(may),
  beneath: Type.Optional(flag(beneath, true)),
});

const because = Type.Array(Reason, { description: 'All reasons for the right; empty without it.' });

const Check = component('AccessCheck', 'Whether somebody can read and edit the page, and why.', {
  member: orNull(MemberName, 'The member. Null for somebody who is not signed in.', null),
  read: object('Reading.', { allowed: flag('Whether they can read the page.', true), because }),
  edit: object('Editing.', {
    allowed: flag('Whether they can edit the page.', false),
    because,
    hindered: orNull(
      literals(['not signed in', 'reader', 'blocked', 'protected']),
      'Why they cannot edit the page although there are reasons. Null if nothing prevents it. Only administrators learn that a member is blocked.',
      null,
    ),
  }),
});

const PageAccess = component(
  'PageAccessInFull',
  'The permissions and grants that decide who can read and edit a page.',
  {
    code: Type.Integer({ description: 'Permissions: three octal digits.', examples: [770] }),
    group: text('Group to which the second digit applies; `members` for all members.', 'members'),
    grants: Type.Array(Grant, { description: 'Grants of the page itself.' }),
    inherited: Type.Array(InheritedGrant, { description: 'Grants of pages above that hold beneath them.' }),
    deleted: Type.Array(text('Name of the group, or its ID.', 'Committee'), {
      description:
        'Deleted groups that the page was shared with. They let nobody in, and go with the next change of its grants.',
    }),
    summary: text(
      'The effect of permissions and grants in one sentence.',
      'Only the owner, the group “Board” and Ann can read and edit',
    ),
    version: version(
      'Stands for the grants of the page itself. Send it with a change, so that the change is refused if they are others by then.',
    ),
    check: Type.Optional(Check),
  },
);

export interface ReadAccess extends PageAccessInFull {
  check?: AccessCheck;
}

const effects = {
  access: 'self',
  subtree: 'within',
  output: converted(PageAccess, ({ page: _, names: __, isNamed: ___, ...access }: ReadAccess) => access),
  ports: ['store'],
  problems: ['not-found', 'gone', 'not-permitted'],
} as const;

export const readAccess = operation({
  ...effects,
  name: 'readAccess',
  summary: 'Read who can read and edit a page',
  description:
    'For the owner of the page and administrators. With `as`, `check` says whether that member can read and edit the page, and why.',
  scope: 'read',
  input: Type.Object({
    path,
    as: Type.Optional(text('ID of a member, or `stranger` for somebody who is not signed in.', '7')),
  }),
  async run({ store }, { input, by, now }) {
    const reader = store.readAs(by);
    const page = await getReadable(reader, input.path);
    refuseForeign(by, page);
    const access = await accessInFull(store, page);
    if (input.as === undefined) return access;
    const member = await memberToCheck(store, input.as);
    const [whole, grants] = await Promise.all([getWhole(reader, page.id, 'none'), grantsOf(store, page)]);
    return {
      ...access,
      check: checkAccess(member, whole, grants, {
        now,
        wiki: store,
        knowsBlocks: by.isAdmin,
        isNamed: access.isNamed,
      }),
    };
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
    version: Type.Optional(
      version(
        'Version of the grants that the change started from. The change is refused if they are others by now.',
      ),
    ),
  }),
  problems: ['not-found', 'gone', 'not-permitted', 'protected', 'blocked', 'access-changed'],
  writes: 'itself',
  audit: ['permissions-changed'],
  run: ({ store }, { input: { path, grants, version }, by, now }) =>
    store.transact(
      async (store): Promise<ReadAccess> =>
        accessInFull(store, await changeGrants({ store, actor: by, now }, path, grants, version)),
    ),
});

const maxFound = 20;

export const findGrantees = operation({
  name: 'findGrantees',
  summary: 'Find groups and members by name',
  description:
    'Groups and members with whom pages can be shared, by the beginning of a word in their name; at most 20 of each. Administrators find all groups, others their own. Not for guests. Deactivated members are left out.',
  access: 'self',
  scope: 'read',
  subtree: 'refused',
  input: Type.Object({
    name: Type.String({
      description: 'Beginning of a name, or of a word in it.',
      minLength: 1,
      maxLength: maxGroupNameLength,
      examples: ['an'],
    }),
  }),
  output: component('Grantees', 'Groups and members with that name.', {
    groups: Type.Array(Type.Object({ id: idField('ID of the group.', 2), name: group }), {
      description: 'Groups, by name.',
    }),
    members: Type.Array(MemberName, { description: 'Members, by name.' }),
  }),
  problems: ['not-permitted'],
  ports: ['store'],
  async run({ store }, { input, by }) {
    if (by.role === 'guest') throw new Problem('not-permitted', say('problem.guestsCannotSearchForMembers'));
    return store.grants.find(input.name, maxFound, by.isAdmin ? undefined : by.memberId);
  },
});

async function memberToCheck(store: Store, as: string): Promise<Member | null> {
  if (as === 'stranger') return null;
  const member = await store.members.findById(parseId(as) ?? 0);
  if (!member) throw invalid('/as', say('problem.thereIsNoSuchMemberNameA'), 'not-found');
  return member;
}

const pages = (description: string) => count(description, 12);

const Difference = component('AccessDifference', 'Readers or writers who gain or lose access.', {
  who: oneOf(
    ['everyone', 'members', 'owners', 'group'],
    'Everyone, all members, the owner of each page, or the members of a group.',
    'group',
  ),
  group: optionalText('Name of the group.', 'editors'),
  action: oneOf(['read', 'write'], 'Right that these people gain or lose.', 'read'),
  pages: pages('Number of affected pages.'),
});

const Plan = component('AccessPlan', 'Effect on pages and on who may read and write them.', {
  pages: pages('Number of pages that change.'),
  kept: pages(
    'Pages that stay as they are because they belong to others. Only those that the caller may read.',
  ),
  gains: Type.Array(Difference, { description: 'Gained access.' }),
  loses: Type.Array(Difference, { description: 'Lost access.' }),
});

interface AskedPlan extends AccessPlan {
  asked: AccessInput;
}

export const changePermissions = operation({
  name: 'changePermissions',
  summary: 'Change the access of a subtree',
  description:
    'Changes permissions, group or both, of the page and every page beneath it, either of all these pages or of none. The owner of the page changes only their own pages; administrators change all. With `dryRun` nothing changes, and the response says who would gain and who would lose access. **Whoever may read a page may also read its history**: `"history": "from now"` keeps earlier contents visible to the owners only.',
  access: 'self',
  scope: 'write',
  subtree: 'within',
  input: component('AccessInput', 'The new access; at least one of permissions and group.', {
    path,
    permissions: Type.Optional(
      Type.Union([Type.Number(), Type.String()], {
        description: 'Three octal digits. Without them each page keeps its permissions.',
        examples: [770],
      }),
    ),
    group: Type.Optional(
      orNull(
        Type.String(),
        'Group to which the second digit applies. Null or `members` for all members.',
        'editors',
      ),
    ),
    history: Type.Optional(
      Type.Literal('from now', {
        description: 'Hides all earlier changes from other readers, and removes former addresses.',
        examples: ['from now'],
      }),
    ),
    msg: optionalText('Message of the changes.', 'For the board alone'),
    dryRun: option('Only reports the effect; changes nothing.', true),
  }),
  output: converted(Plan, ({ pages, kept, gains, loses }: AskedPlan) => ({ pages, kept, gains, loses })),
  problems: ['not-permitted', 'not-found', 'gone', 'protected', 'blocked'],
  writes: 'itself',
  audit: ['permissions-changed'],
  ports: ['store'],
  async run({ store }, { input: { path, dryRun = false, ...asked }, by, now }): Promise<AskedPlan> {
    return { ...(await changePermissionsOf({ store, actor: by, now }, path, asked, dryRun)), asked };
  },
});

export const groupsToGive = operation({
  name: 'groupsToGive',
  summary: 'List the groups that pages can be given to',
  description: 'Names of groups: all for administrators, their own for others; at most 100.',
  access: 'self',
  scope: 'read',
  subtree: 'refused',
  input: Type.Object({}),
  output: Type.Array(Type.String()),
  ports: ['store'],
  run: ({ store }, { by }) => namesOfGroups(store, by),
});
