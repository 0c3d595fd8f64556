/** Checks for the powers of an active administrator, looked up at each call. */

import { say } from '#words/say.ts';
import { refuseBlocked, refuseWithoutSecondFactor } from '../model/may-write.ts';
import type { Member } from '../model/member.ts';
import type { Actor, Operator } from '../model/permission.ts';
import { Problem } from '../model/problem.ts';
import type { Store } from '../ports/store.ts';

/**
 * Returns the actor as a current administrator; `action` is a verb phrase for the refusal. Refuses `unauthenticated`, `blocked` and
 * `administrators-only`.
 */
export async function getAdministrator(
  store: Store,
  actor: Actor,
  action = 'manage members',
): Promise<Member> {
  const member = actor && (await store.members.findById(actor.memberId));
  if (!member?.isActive) {
    throw new Problem('unauthenticated', `Only signed-in administrators may ${action}.`, {
      onSite: say('problem.signInAsAdministrator'),
    });
  }
  refuseBlocked(actor);
  refuseWithoutSecondFactor(actor);
  if (!member.isAdmin)
    throw new Problem('administrators-only', `Only administrators may ${action}.`, {
      onSite: say('problem.onlyAdministratorsMayDoThis'),
    });
  return member;
}

/** Returns the administrator, or null for the command line. Refuses as `getAdministrator` does. */
export async function administratorOf(store: Store, operator: Operator): Promise<Member | null> {
  return operator === 'command line' ? null : getAdministrator(store, operator);
}
