/** `coppice group`: groups of members by the command line. Groups are named by their names, members by their e-mail addresses. */
import { addGroup, addToGroup, changeName, removeFromGroup, removeGroup } from '#domain/members/groups.ts';
import { getByEmail } from '#domain/members/manage-members.ts';
import type { GroupName } from '#domain/pages/page.ts';
import type { Group } from '#domain/ports/group-store.ts';
import type { Store } from '#domain/ports/store.ts';
import { Problem } from '#domain/problem.ts';
import { commandOf, readArguments, type Work } from './command/arguments.ts';
import type { CommandContext, Terminal } from './command/context.ts';
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

const subcommands: Record<string, Work> = {
  add,
  list,
  members,
  rename,
  delete: deleteOne,
  join: changing(addToGroup, 'is in the group'),
  leave: changing(removeFromGroup, 'is not in the group'),
};
const batchSize = 200;

export const run = commandOf('group', help, subcommands);

async function add(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const [name = ''] = readArguments(args, ['NAME'], {}).positionals;
  await using open = await context.open();
  const group = await addGroup(open.store, name, context.clock());
  io.stdout.write(`${printable(group.name)}\n`);
  return 0;
}

async function list(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const { values } = readArguments(args, [], { json: { type: 'boolean', default: false } });
  await using open = await context.open();
  const all: Omit<Group, 'members'>[] = [];
  for (;;) {
    const range = { limit: batchSize, offset: all.length };
    const { groups } = await open.store.groups.list(range, 0);
    all.push(...groups.map(({ members: _, ...group }) => group));
    if (groups.length < batchSize) break;
  }
  if (values.json) io.stdout.write(`${JSON.stringify(all, null, 2)}\n`);
  else if (all.length === 0) io.stderr.write('There are no groups.\n');
  else for (const one of all) io.stdout.write(`${printable(one.name)}\t${one.memberCount}\n`);
  return 0;
}

async function members(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, ['NAME'], {
    json: { type: 'boolean', default: false },
  });
  await using open = await context.open();
  const { id } = await getGroup(open.store, positionals[0]);
  const all: Group['members'] = [];
  for (;;) {
    const group = await open.store.groups.find(id, { limit: batchSize, offset: all.length });
    all.push(...(group?.members ?? []));
    if ((group?.members.length ?? 0) < batchSize) break;
  }
  if (values.json) io.stdout.write(`${JSON.stringify(all, null, 2)}\n`);
  else for (const one of all) io.stdout.write(`${one.id}\t${printable(one.name)}\n`);
  return 0;
}

async function rename(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const [name, to = ''] = readArguments(args, ['NAME', 'NEW'], {}).positionals;
  await using open = await context.open();
  const group = await changeName(open.store, (await getGroup(open.store, name)).id, to);
  io.stdout.write(`${printable(group.name)}\n`);
  return 0;
}

async function deleteOne(args: string[], context: CommandContext, io: Terminal): Promise<number> {
  const [name] = readArguments(args, ['NAME'], {}).positionals;
  await using open = await context.open();
  const group = await getGroup(open.store, name);
  await removeGroup(open.store, group.id);
  io.stdout.write(`Deleted: ${printable(group.name)}.\n`);
  return 0;
}

function changing(
  change: (store: Store, id: number, memberId: number, now: number) => Promise<void>,
  words: string,
): Work {
  return async (args, context, io) => {
    const [name, email = ''] = readArguments(args, ['NAME', 'EMAIL'], {}).positionals;
    await using open = await context.open();
    const group = await getGroup(open.store, name);
    const member = await getByEmail(open.store, email);
    await change(open.store, group.id, member.id, context.clock());
    io.stdout.write(`${printable(member.name)} ${words} ${printable(group.name)}.\n`);
    return 0;
  };
}

async function getGroup(store: Store, name = ''): Promise<GroupName> {
  const [group] = await store.groups.lockByNames([name]);
  if (!group)
    throw new Problem('not-found', `There is no group “${name}”: \`coppice group list\` shows them.`);
  return group;
}
