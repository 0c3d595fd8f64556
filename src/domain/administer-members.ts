/** What administrators see and change of members. Refuses `unauthenticated` and `administrators-only`. */
import { getAdministrator } from './grantor.ts';
import type { Range } from './list-store.ts';
import { changeMember } from './manage-members.ts';
import type { Member } from './member.ts';
import type { Actor } from './permission.ts';
import { Problem } from './problem.ts';
import type { Store } from './store.ts';

export async function listMembers(
  store: Store,
  actor: Actor,
  range: Range,
): Promise<{ members: Member[]; total: number }> {
  await getAdministrator(store, actor);
  return store.members.list(range);
}

export async function administerMember(
  store: Store,
  actor: Actor,
  id: number,
  fields: { isAdmin?: boolean; isActive?: boolean },
): Promise<Member> {
  await getAdministrator(store, actor);
  const member = await store.members.findById(id);
  if (!member) throw new Problem('not-found', 'There is no such member.');
  return changeMember(store, member.email, fields);
}
