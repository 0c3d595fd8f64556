/** `coppice group`: manages groups. Groups are given by name, members by e-mail address or name. */
import { commandOf } from '#cli/command/arguments.ts';
import { allOf, inWiki, listing } from '#cli/command/in-wiki.ts';
import { tabbed } from '#cli/command/print.ts';
import { printable } from '#cli/command/printable.ts';
import { memberByNameOrEmail } from '#core/members/member-by-name.ts';
import {
  addToGroup,
  createGroup,
  deleteGroup,
  groupByName,
  listGroups,
  readGroup,
  removeFromGroup,
  renameGroup,
} from './operations.ts';

const help = `Usage: coppice group <what> [arguments]

  add NAME                            Makes a group without members.
  list [--json]                       Lists groups with their number of members.
  members NAME [--json]               Lists the members of a group.
  rename NAME NEW                     Renames a group. Its pages show the new name.
  delete NAME                         Deletes a group. Refused while pages belong to it.
  join NAME MEMBER                    Adds a member, given by e-mail address or name, to a group.
  leave NAME MEMBER                   Removes a member from a group, from their next request on.

The wiki may be running or not.
`;

export const run = commandOf('group', help, {
  add: inWiki(['NAME'], {}, ([name]) => async ({ carry }) => {
    return printable((await carry(createGroup, { name })).name);
  }),
  list: listing([], ({ carry }) => allOf(async (range) => (await carry(listGroups, range)).items), {
    shown: ({ members: _, ...group }) => group,
    row: ({ name, memberCount }) => [printable(name), String(memberCount)],
    layout: tabbed,
    none: 'There are no groups.',
  }),
  members: listing(
    ['NAME'],
    async ({ carry }, _, name) => {
      const { id } = await carry(groupByName, { name });
      return allOf(async (range) => (await carry(readGroup, { id, ...range })).members);
    },
    {
      shown: (member) => member,
      row: ({ id, name }) => [String(id), printable(name)],
      layout: tabbed,
    },
  ),
  rename: inWiki(['NAME', 'NEW'], {}, ([from, name]) => async ({ carry }) => {
    const { id } = await carry(groupByName, { name: from });
    return printable((await carry(renameGroup, { id, name })).name);
  }),
  delete: inWiki(['NAME'], {}, ([name]) => async ({ carry }) => {
    const group = await carry(groupByName, { name });
    await carry(deleteGroup, { id: group.id });
    return `Deleted: ${printable(group.name)}.`;
  }),
  join: changing(addToGroup, 'is in the group'),
  leave: changing(removeFromGroup, 'is not in the group'),
});

function changing(operation: typeof addToGroup, words: string) {
  return inWiki(['NAME', 'MEMBER'], {}, ([groupName, email]) => async ({ carry }) => {
    const { id, name } = await carry(groupByName, { name: groupName });
    const member = await carry(memberByNameOrEmail, { email });
    await carry(operation, { id, memberId: member.id });
    return `${printable(member.name)} ${words} ${printable(name)}.`;
  });
}
