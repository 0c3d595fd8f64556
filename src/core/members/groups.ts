/** Groups that a member is in: which of them pages may be given, and memberships by a provider. Their administration is a feature. */
import type { Actor } from '../model/permission.ts';
import type { Store, Transaction } from '../ports/store.ts';

/** Limited, because queries compare the audience of each group. */
export const maxGroupsOfMember = 100;

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

async function recordMembership(
  store: Transaction,
  kind: 'group-joined' | 'group-left',
  id: number,
  note: string,
): Promise<void> {
  await store.audit.record({ kind, subject: { kind: 'member', id }, note });
}
