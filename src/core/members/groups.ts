/**
 * Groups of members, managed by administrators. A member who leaves a group loses access to its pages with the next request. A
 * group that still has pages cannot be deleted, so pages never get other readers by accident.
 */

import { allMembers, groupKey, readGroupName } from '../model/group-name.ts';
import type { GroupName } from '../model/page.ts';
import type { Actor } from '../model/permission.ts';
import { invalid, Problem } from '../model/problem.ts';
import type { Group } from '../ports/group-store.ts';
import type { Range } from '../ports/list-reads.ts';
import type { Store, Transaction } from '../ports/store.ts';
import { getAdministrator, type Operator } from './get-administrator.ts';
import { refuseForeignGroup } from './may-give.ts';

const maxGroups = 1000;
/** Limited, because queries compare the audience of each group. */
const maxGroupsOfMember = 100;
/** Members shown in lists of groups; a single group lists all, paged. */
const shownMembers = 100;

/** Lists all groups for administrators, and for others their own. Refuses `unauthenticated`. */
export async function listGroups(
  store: Store,
  actor: Actor,
  range: Range,
): Promise<{ groups: Group[]; total: number }> {
  if (!actor) throw new Problem('unauthenticated', 'Groups are shown to members.');
  return store.groups.list(range, shownMembers, actor.isAdmin ? undefined : actor.memberId);
}

/** Names of groups that the actor may assign to a page; a limited number for administrators. */
export async function namesOfGroups(store: Store, actor: Actor): Promise<string[]> {
  if (!actor || (!actor.isAdmin && !actor.groupIds?.length)) return [];
  const { groups } = await store.groups.list(
    { limit: maxGroupsOfMember, offset: 0 },
    0,
    actor.isAdmin ? undefined : actor.memberId,
  );
  return groups.map(({ name }) => name);
}

/** For administrators and members of the group. Refuses `unauthenticated` and `not-found`. */
export async function getGroup(store: Store, actor: Actor, id: number, members: Range): Promise<Group> {
  if (!actor) throw new Problem('unauthenticated', 'Groups are shown to members.');
  const isShown = actor.isAdmin || actor.groupIds?.includes(id);
  const group = isShown ? await store.groups.find(id, members) : undefined;
  if (!group) throw noGroup();
  return group;
}

/**
 * Operations of administrators, who are looked up first. What each refuses besides `unauthenticated` and `administrators-only`
 * is said at the operation itself, which the command line calls directly.
 */
export const createGroup = asAdministrator(addGroup);
export const renameGroup = asAdministrator(changeName);
export const deleteGroup = asAdministrator(removeGroup);
export const takeFromGroup = asAdministrator(removeFromGroup);

function asAdministrator<Rest extends unknown[], Result>(
  operation: (store: Store, ...rest: Rest) => Promise<Result>,
) {
  return async (store: Store, actor: Actor, ...rest: Rest): Promise<Result> => {
    await getAdministrator(store, actor);
    return operation(store, ...rest);
  };
}

/** Refuses `insufficient-scope` besides for an API token that does not open the group's pages itself. */
export async function putInGroup(
  store: Store,
  actor: Actor,
  id: number,
  memberId: number,
  now: number,
): Promise<void> {
  await getAdministrator(store, actor);
  await addToGroup(store, id, memberId, now, actor);
}

/** Refuses with `invalid`, also if the name is taken. */
export async function addGroup(store: Store, name: string, now: number): Promise<Group> {
  const checked = checkName(name);
  return store.transact(async (store) => {
    if ((await store.groups.count()) >= maxGroups)
      throw invalid('/name', `There can be ${maxGroups} groups: delete one that is not used any more.`);
    const group = await store.groups.insert(checked, now);
    await store.audit.record({ kind: 'group-made', subject: subjectOf(group) });
    return { ...group, members: [], memberCount: 0 };
  });
}

/** The new name is shown on the group's pages; changes keep the name of their time. */
export async function changeName(store: Store, id: number, name: string): Promise<Group> {
  const checked = checkName(name);
  return store.transact(async (store) => {
    const before = await lockGroup(store, id);
    await store.groups.rename(id, checked);
    const subject = subjectOf({ id, name: checked });
    await store.audit.record({ kind: 'group-renamed', subject, note: `before: ${before.name}` });
    return (await store.groups.find(id, { limit: shownMembers, offset: 0 })) as Group;
  });
}

/** Refuses `group-in-use` while pages, including those in the trash, belong to it or give it to new pages. */
export async function removeGroup(store: Store, id: number): Promise<void> {
  await store.transact(async (store) => {
    const { name } = await lockGroup(store, id);
    const { pages, trashed } = await store.groups.usage(id);
    if (pages + trashed > 0)
      throw new Problem(
        'group-in-use',
        `${pages + trashed === 1 ? 'A page is' : `${pages + trashed} pages are`} of the group “${name}”${trashed > 0 ? `, ${trashed} of them in the trash` : ''}: give ${pages + trashed === 1 ? 'it' : 'them'} another group first.`,
        { details: { pages, trashed } },
      );
    await store.groups.remove(id);
    await store.audit.record({ kind: 'group-deleted', subject: subjectOf({ id, name }) });
  });
}

/** Idempotent. */
export async function addToGroup(
  store: Store,
  id: number,
  memberId: number,
  now: number,
  by: Operator = 'command line',
): Promise<void> {
  await store.transact(async (store) => {
    const member = await lockMember(store, memberId);
    const { name } = await lockGroup(store, id);
    refuseForeignGroup(by, id);
    if (!member.groupIds.includes(id) && member.groupIds.length >= maxGroupsOfMember)
      throw invalid('', `A member can be in ${maxGroupsOfMember} groups.`);
    await store.groups.addMember(id, memberId, { at: now, byProvider: false });
    await recordMembership(store, 'group-joined', memberId, name);
  });
}

export async function removeFromGroup(store: Store, id: number, memberId: number): Promise<void> {
  await store.transact(async (store) => {
    await lockMember(store, memberId);
    const { name } = await lockGroup(store, id);
    await store.groups.removeMember(id, memberId);
    await recordMembership(store, 'group-left', memberId, name);
  });
}

/**
 * For sign-ins by a provider that reports groups: adds the member to those of them that exist in the wiki, and removes them
 * from groups that an earlier sign-in added. Groups added by an administrator are kept.
 */
export async function followProvider(
  store: Store,
  memberId: number,
  names: readonly string[],
  now: number,
): Promise<void> {
  await store.transact(async (store) => {
    const member = await store.members.lock(memberId);
    if (!member) return;
    const groups = await store.groups.lockByNames(names);
    const named = groups.map(({ id }) => id);
    const before = await store.groups.listByProvider(memberId);
    const left = before.filter((id) => !named.includes(id));
    const room = maxGroupsOfMember - member.groupIds.length + left.length;
    const joined = named.filter((id) => !member.groupIds.includes(id)).slice(0, Math.max(0, room));
    const nameOf = (id: number) => groups.find((group) => group.id === id)?.name ?? `group ${id}`;
    for (const id of left) {
      await store.groups.removeMember(id, memberId);
      await recordMembership(store, 'group-left', memberId, `${nameOf(id)}, by provider`);
    }
    for (const id of joined) {
      await store.groups.addMember(id, memberId, { at: now, byProvider: true });
      await recordMembership(store, 'group-joined', memberId, `${nameOf(id)}, by provider`);
    }
  });
}

function subjectOf({ id, name }: GroupName) {
  return { kind: 'group', id, name } as const;
}

async function recordMembership(
  store: Transaction,
  kind: 'group-joined' | 'group-left',
  id: number,
  note: string,
): Promise<void> {
  await store.audit.record({ kind, subject: { kind: 'member', id }, note });
}

function checkName(given: string): string {
  const read = readGroupName(given);
  if ('problem' in read) throw invalid('/name', read.problem);
  if (groupKey(read.name) === allMembers)
    throw invalid('/name', `“${allMembers}” is the group of all members, which is always there.`);
  return read.name;
}

async function lockMember(store: Transaction, id: number) {
  const member = await store.members.lock(id);
  if (!member) throw new Problem('not-found', 'There is no such member.');
  return member;
}

async function lockGroup(store: Transaction, id: number): Promise<GroupName> {
  const group = await store.groups.lock(id);
  if (!group) throw noGroup();
  return group;
}

function noGroup(): Problem {
  return new Problem('not-found', 'There is no such group.');
}
