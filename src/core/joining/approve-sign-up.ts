/** The waiting list for administrators: requests to join are approved or refused, and answered by mail. */

import { say } from '#words/say.ts';
import { refuseLookalike } from '../members/manage-members.ts';
import { refuseBeyondCredential } from '../members/may-give.ts';
import { notify } from '../members/notify.ts';
import { type Member, newRole, type Role } from '../model/member.ts';
import type { Actor, Operator } from '../model/permission.ts';
import { Problem } from '../model/problem.ts';
import type { SignUpRules } from '../model/settings.ts';
import type { Range } from '../ports/list-reads.ts';
import type { SignUp } from '../ports/sign-up-store.ts';
import type { Store } from '../ports/store.ts';

/** Requests that wait for a decision, oldest first. */
export async function listSignUps(
  store: Store,
  range: Range,
  now: number,
): Promise<{ signUps: SignUp[]; total: number }> {
  return store.signUps.listWaiting(range, now);
}

/** Number of people who wait for this actor's approval. */
export async function countWaiting(
  { store, signUp }: { store: Store; signUp: SignUpRules },
  actor: Actor,
  now: number,
): Promise<number> {
  return actor?.isAdmin && signUp.mode === 'approval' ? (await store.signUps.waiting(now)).total : 0;
}

/** Refuses `not-found`, and `invalid` if the name or address belongs to a member by now; the request is kept then. */
export async function approveSignUp(
  store: Store,
  actor: Operator,
  { id, role }: { id: number; role: Role },
  now: number,
): Promise<Member> {
  return store.transact(async (store) => {
    const { email, name, passphraseHash } = await take(store, id, now);
    refuseBeyondCredential(actor, role);
    await refuseLookalike(store, { email, name });
    const member = await store.members.insert({
      email,
      name,
      passphraseHash,
      createdAt: now,
      ...newRole(role),
    });
    const subject = { kind: 'member', id: member.id } as const;
    await store.audit.record({ kind: 'sign-up-approved', subject, note: `as ${role}, sign-up ${id}` });
    await notify(store, { kind: 'sign-up-approved', address: email }, now);
    return member;
  });
}

/** Refuses `not-found`. The person may ask again. */
export async function refuseSignUp(store: Store, id: number, now: number): Promise<void> {
  await store.transact(async (store) => {
    const { email, name } = await take(store, id, now);
    await store.audit.record({ kind: 'sign-up-refused', subject: { kind: 'sign-up', id } });
    // A member's address is not notified, because that would reveal somebody else's request.
    if (!(await store.members.findByEmail(email)))
      await notify(store, { kind: 'sign-up-refused', address: email, name }, now);
  });
}

async function take(store: Store, id: number, now: number): Promise<SignUp> {
  const taken = await store.signUps.take(id, now);
  // The refusal rolls the transaction back, so a request that is not waiting is kept.
  if (taken?.waitingSince == null) throw new Problem('not-found', say('problem.thereIsNoSignUpRequestWith'));
  return taken;
}
