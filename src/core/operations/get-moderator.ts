/** Checks for the powers of an active moderator or administrator, looked up at each call. */

import { say } from '#words/say.ts';
import { refuseBlocked, refuseWithoutSecondFactor } from '../model/may-write.ts';
import type { Member } from '../model/member.ts';
import type { Actor } from '../model/permission.ts';
import { Problem } from '../model/problem.ts';
import type { Store } from '../ports/store.ts';

/** Returns the actor as a current moderator; `action` is a verb phrase for the refusal. Refuses `unauthenticated`, `blocked` and `moderators-only`. */
export async function getModerator(store: Store, actor: Actor, action: string): Promise<Member> {
  const member = actor && (await store.members.findById(actor.memberId));
  if (!member?.isActive)
    throw new Problem('unauthenticated', `Only signed-in moderators and administrators may ${action}.`, {
      onSite: say('problem.signInAsModerator'),
    });
  refuseBlocked(actor);
  refuseWithoutSecondFactor(actor);
  if (member.role !== 'moderator' && !member.isAdmin)
    throw new Problem('moderators-only', `Only moderators and administrators may ${action}.`, {
      onSite: say('problem.onlyModeratorsMayDoThis'),
    });
  return member;
}
