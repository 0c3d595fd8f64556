/**
 * Wikis that require a second factor of administrators: until they add one, they have the rights of a writer. Looked up for
 * each request, so that adding and removing it takes effect at once.
 */

import type { SecondFactorRule } from '../model/member.ts';
import { type AbsentMember, actorOf, type Member } from '../model/member.ts';
import type { Actor } from '../model/permission.ts';
import type { SignInMethod } from '../ports/credentials.ts';
import type { Store } from '../ports/store.ts';

/** Rights of a member who is not signed in, such as one whose proposal merges at its time: those of a token of theirs. */
export function absentActor(
  rule: SecondFactorRule,
  { member, hasSecondFactor }: AbsentMember,
  now: number,
): NonNullable<Actor> {
  const actor = actorOf(member, now);
  return hasSecondFactor || !isRequiredOf(rule, member) ? actor : withoutPowers(actor);
}

/** The actor with the rights that the rule grants. `by`: how the session was started, or an API token. */
export async function actorUnder(
  { rule, store }: { rule: SecondFactorRule; store: Store },
  member: Member,
  actor: NonNullable<Actor>,
  by: SignInMethod['method'] | 'token',
): Promise<NonNullable<Actor>> {
  if (!isRequiredOf(rule, member) || (await hasSecondFactor(store, member.id, by))) return actor;
  return withoutPowers(actor);
}

/** Bots cannot sign in and so cannot have a second factor. */
function isRequiredOf(rule: SecondFactorRule, { isAdmin, isBot }: Member): boolean {
  return rule !== 'none' && isAdmin && !isBot;
}

function withoutPowers(actor: NonNullable<Actor>): NonNullable<Actor> {
  return { ...actor, isAdmin: false, needsSecondFactor: true };
}

/**
 * The only place that decides what counts. A passkey counts as two factors for a session that it started, but not for one that
 * a passphrase started.
 */
async function hasSecondFactor(
  store: Store,
  memberId: number,
  by: SignInMethod['method'] | 'token',
): Promise<boolean> {
  if (by === 'passkey') return true;
  const factor = await store.secondFactors.find(memberId);
  if (factor && factor.confirmedAt !== null) return true;
  return by === 'token' && (await store.passkeys.listOf(memberId)).length > 0;
}
