/** What administrators see and change of members. Refuses `unauthenticated` and `administrators-only`. */
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
  refuseUnlessAdmin(actor);
  return store.members.list(range);
}

export async function administerMember(
  store: Store,
  actor: Actor,
  id: number,
  fields: { isAdmin?: boolean; isActive?: boolean },
): Promise<Member> {
  refuseUnlessAdmin(actor);
  const member = await store.members.findById(id);
  if (!member) throw new Problem('not-found', 'There is no such member.');
  return changeMember(store, member.email, fields);
}

function refuseUnlessAdmin(actor: Actor): void {
  if (!actor) throw new Problem('unauthenticated', 'Managing members needs a signed-in administrator.');
  if (!actor.isAdmin) throw new Problem('administrators-only', 'Only administrators may manage members.');
}
