/** Who may manage members: an active administrator, looked up at each call. */
import type { Actor } from '../permission.ts';
import type { Store } from '../ports/store.ts';
import { Problem } from '../problem.ts';
import { refuseBlocked } from './may-write.ts';
import type { Member } from './member.ts';
import { refuseWithoutSecondFactor } from './required-second-factor.ts';

/** The actor as an administrator of this moment; `what` they want to manage is for the refusal. Refuses `unauthenticated`, `blocked` and `administrators-only`. */
export async function getAdministrator(store: Store, actor: Actor, what = 'members'): Promise<Member> {
  const member = actor && (await store.members.findById(actor.memberId));
  if (!member?.isActive) {
    throw new Problem('unauthenticated', `Managing ${what} needs a signed-in administrator.`);
  }
  refuseBlocked(actor);
  refuseWithoutSecondFactor(actor);
  if (!member.isAdmin) throw new Problem('administrators-only', `Only administrators may manage ${what}.`);
  return member;
}
