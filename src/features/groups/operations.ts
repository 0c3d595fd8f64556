/**
 * Groups of members. A member who leaves a group loses access to its pages with the next request. A group that still has pages
 * cannot be deleted, so pages never get other readers by accident.
 */

import { Type } from 'typebox';
import { maxGroupsOfMember } from '#core/members/groups.ts';
import { refuseForeignGroup } from '#core/members/may-give.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import { component, count, idField, text } from '#core/operations/fields.ts';
import { listOf, nothing, operation } from '#core/operations/operation.ts';
import { rangeFields, rangeOf } from '#core/operations/paging.ts';
import { MemberName } from '#core/operations/schemas.ts';
import { say } from '#words/say.ts';
import {
  checkName,
  groupInUse,
  lockGroup,
  lockMember,
  maxGroups,
  noGroup,
  shownMembers,
  subjectOf,
} from './groups.ts';

const Group = component('Group', 'A group of members.', {
  id: idField('ID of the group.', 2),
  name: text('Name of the group, by which pages refer to it.', 'editors'),
  members: Type.Array(MemberName, {
    description: 'Members of the group by name; in lists only the first hundred.',
  }),
  memberCount: count('Number of members.', 1),
});

const NamedGroup = Type.Pick(Group, ['id', 'name']);

const name = text(
  'Name of the group, up to 100 characters; unique without regard to case. Not `members`.',
  'editors',
);
const id = idField('ID of the group.', 2);
const memberId = idField('ID of the member.', 1);

export const listGroups = operation({
  name: 'groups',
  summary: 'List groups',
  description:
    'Groups by name. Administrators see all groups, other members only their own. The group `members` of all members always exists and is not listed.',
  access: 'member',
  scope: 'read',
  subtree: 'refused',
  input: Type.Object(rangeFields(100)),
  output: listOf(Group, 'The groups.'),
  ports: ['groups'],
  async run({ groups }, { input, by }) {
    const range = rangeOf(input, 100);
    const memberId = by === 'command line' || by.isAdmin ? undefined : by.memberId;
    const found = await groups.list(range, shownMembers, memberId);
    return { items: found.groups, total: found.total };
  },
});

export const readGroup = operation({
  name: 'group',
  summary: 'Read a group',
  description:
    'For administrators and members of the group. `limit` and `offset` apply to the list of members.',
  access: 'member',
  scope: 'read',
  subtree: 'refused',
  input: Type.Object({ id, ...rangeFields(1000) }),
  output: Group,
  problems: ['not-found'],
  ports: ['groups'],
  async run({ groups }, { input, by }) {
    const isShown = by === 'command line' || by.isAdmin || by.groupIds?.includes(input.id);
    const group = isShown ? await groups.find(input.id, rangeOf(input, 1000)) : undefined;
    if (!group) throw noGroup();
    return group;
  },
});

export const groupByName = operation({
  name: 'groupByName',
  summary: 'Find a group by name',
  description: 'Names are compared without regard to case.',
  access: 'administrator',
  scope: 'members',
  input: Type.Object({ name }),
  output: NamedGroup,
  problems: ['not-found'],
  ports: ['groups'],
  async run({ groups }, { input }) {
    const [group] = await groups.lockByNames([input.name]);
    if (!group)
      throw new Problem('not-found', say('problem.thereIsNoGroupCoppiceGroupList', { name: input.name }));
    return group;
  },
});

export const createGroup = operation({
  name: 'createGroup',
  summary: 'Make a group',
  description: 'For administrators. The new group has no members.',
  access: 'administrator',
  scope: 'members',
  input: component('GroupInput', 'Name of the group.', { name }),
  output: Group,
  writes: true,
  audit: ['group-made'],
  ports: ['groups'],
  async run({ groups }, { input, now, record }) {
    const name = checkName(input.name);
    if ((await groups.count()) >= maxGroups)
      throw invalid('/name', say('problem.aWikiCanHaveGroupsDeleteOne', { maxGroups }));
    const group = await groups.insert(name, now);
    await record({ kind: 'group-made', subject: subjectOf(group) });
    return { ...group, members: [], memberCount: 0 };
  },
});

export const renameGroup = operation({
  name: 'renameGroup',
  summary: 'Rename a group',
  description: 'For administrators. Its pages show the new name; their older changes keep the old one.',
  access: 'administrator',
  scope: 'members',
  input: component('GroupInput', 'Name of the group.', { id, name }),
  output: Group,
  problems: ['not-found'],
  writes: true,
  audit: ['group-renamed'],
  ports: ['groups'],
  async run({ groups }, { input: { id, ...given }, record }) {
    const name = checkName(given.name);
    const before = await lockGroup(groups, id);
    await groups.rename(id, name);
    await record({
      kind: 'group-renamed',
      subject: subjectOf({ id, name }),
      note: `before: ${before.name}`,
    });
    const group = await groups.find(id, { limit: shownMembers, offset: 0 });
    if (!group) throw noGroup();
    return group;
  },
});

export const deleteGroup = operation({
  name: 'deleteGroup',
  summary: 'Delete a group',
  description:
    'For administrators. Refused while pages belong to the group, including pages in the trash, because otherwise readers whom nobody chose could open them.',
  access: 'administrator',
  scope: 'members',
  input: Type.Object({ id }),
  output: nothing('Deleted.'),
  problems: ['not-found', 'group-in-use'],
  writes: true,
  audit: ['group-deleted'],
  ports: ['groups'],
  async run({ groups }, { input: { id }, record }) {
    const group = await lockGroup(groups, id);
    const usage = await groups.usage(id);
    if (usage.pages + usage.trashed > 0) throw groupInUse(group.name, usage);
    await groups.remove(id);
    await record({ kind: 'group-deleted', subject: subjectOf(group) });
  },
});

const membership = Type.Object({ id, memberId });

export const addToGroup = operation({
  name: 'addToGroup',
  summary: 'Add a member to a group',
  description: 'For administrators. It takes effect with the next request of the member.',
  access: 'administrator',
  scope: 'members',
  input: membership,
  output: nothing('The member is in the group.'),
  problems: ['not-found'],
  writes: true,
  audit: ['group-joined'],
  ports: ['groups', 'members'],
  async run({ groups, members }, { input: { id, memberId }, by, now, record }) {
    const { groupIds } = await lockMember(members, memberId);
    const { name } = await lockGroup(groups, id);
    refuseForeignGroup(by, id);
    if (!groupIds.includes(id) && groupIds.length >= maxGroupsOfMember)
      throw invalid('', say('problem.aMemberCanBeInAtMost', { maxGroupsOfMember }));
    await groups.addMember(id, memberId, { at: now, byProvider: false });
    await record({ kind: 'group-joined', subject: { kind: 'member', id: memberId }, note: name });
  },
});

export const removeFromGroup = operation({
  name: 'removeFromGroup',
  summary: 'Remove a member from a group',
  description:
    'For administrators. With the next request, the member loses the access that the group gives; open streams end.',
  access: 'administrator',
  scope: 'members',
  input: membership,
  output: nothing('The member is not in the group.'),
  problems: ['not-found'],
  writes: true,
  audit: ['group-left'],
  ports: ['groups', 'members'],
  async run({ groups, members }, { input: { id, memberId }, record }) {
    await lockMember(members, memberId);
    const { name } = await lockGroup(groups, id);
    await groups.removeMember(id, memberId);
    await record({ kind: 'group-left', subject: { kind: 'member', id: memberId }, note: name });
  },
});
