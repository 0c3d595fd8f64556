/** `coppice group`: manages groups. Groups are given by name, members by e-mail address. */
import { addGroup, addToGroup, changeName, removeFromGroup, removeGroup } from '#core/members/groups.ts';
import { getByEmail } from '#core/members/manage-members.ts';
import type { GroupName } from '#core/model/page.ts';
import { Problem } from '#core/model/problem.ts';
import type { Store } from '#core/ports/store.ts';
import { commandOf, type Work } from './command/arguments.ts';
import { allOf, inWiki, listing } from './command/in-wiki.ts';
import { tabbed } from './command/print.ts';
import { printable } from './command/printable.ts';

const help = `Usage: coppice group <what> [arguments]

  add NAME                            Makes a group, without members yet.
  list [--json]                       Groups and how many members each has.
  members NAME [--json]               Who is in a group.
  rename NAME NEW                     Pages of the group show the new name.
  delete NAME                         Refused while pages are of the group.
  join NAME EMAIL                     Puts a member into a group.
  leave NAME EMAIL                    Takes a member out of it, which holds from their next request on.

The wiki may be running or not.
`;

export const run = commandOf('group', help, {
  add: inWiki(['NAME'], {}, ([name]) => async ({ store }, now) => {
    return printable((await addGroup(store, name, now)).name);
  }),
  list: listing(
    [],
    ({ store }) =>
      allOf(async (range) => {
        const { groups } = await store.groups.list(range, 0);
        return groups.map(({ members: _, ...group }) => group);
      }),
    {
      shown: (group) => group,
      row: ({ name, memberCount }) => [printable(name), String(memberCount)],
      layout: tabbed,
      none: 'There are no groups.',
    },
  ),
  members: listing(
    ['NAME'],
    async ({ store }, _, name) => {
      const { id } = await getGroup(store, name);
      return allOf(async (range) => (await store.groups.find(id, range))?.members ?? []);
    },
    {
      shown: (member) => member,
      row: ({ id, name }) => [String(id), printable(name)],
      layout: tabbed,
    },
  ),
  rename: inWiki(['NAME', 'NEW'], {}, ([name, to]) => async ({ store }) => {
    const { id } = await getGroup(store, name);
    return printable((await changeName(store, id, to)).name);
  }),
  delete: inWiki(['NAME'], {}, ([name]) => async ({ store }) => {
    const group = await getGroup(store, name);
    await removeGroup(store, group.id);
    return `Deleted: ${printable(group.name)}.`;
  }),
  join: changing(addToGroup, 'is in the group'),
  leave: changing(removeFromGroup, 'is not in the group'),
});

function changing(
  change: (store: Store, id: number, memberId: number, now: number) => Promise<void>,
  words: string,
): Work {
  return inWiki(['NAME', 'EMAIL'], {}, ([name, email]) => async ({ store }, now) => {
    const group = await getGroup(store, name);
    const member = await getByEmail(store, email);
    await change(store, group.id, member.id, now);
    return `${printable(member.name)} ${words} ${printable(group.name)}.`;
  });
}

async function getGroup(store: Store, name: string): Promise<GroupName> {
  const [group] = await store.groups.lockByNames([name]);
  if (!group)
    throw new Problem('not-found', `There is no group “${name}”: \`coppice group list\` shows them.`);
  return group;
}
