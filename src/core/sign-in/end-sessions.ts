/** Signing out: of this session, of one other session, of all others, or everywhere. Their tokens become invalid at once. */

import { say } from '#words/say.ts';
import type { Actor } from '../model/permission.ts';
import { notSignedIn, Problem } from '../model/problem.ts';
import type { SignedIn } from '../ports/sessions.ts';
import type { Store } from '../ports/store.ts';

/** Ends the session, and with `everywhere` all others and every token issued so far. */
export async function signOut(store: Store, { session }: SignedIn, everywhere = false): Promise<void> {
  await store.transact(async (store) => {
    const { memberId } = session;
    if (everywhere) return endAllSessions(store, memberId);
    await store.sessions.end(memberId, session.id);
    await store.audit.record({ kind: 'signed-out', subject: { kind: 'member', id: memberId } });
  });
}

/** Signs a member out everywhere, within a transaction. API tokens are kept. */
export async function endAllSessions(store: Store, memberId: number): Promise<void> {
  await store.members.raiseEpoch(memberId);
  await store.audit.record({ kind: 'sessions-ended', subject: { kind: 'member', id: memberId } });
}

/** Refuses `unauthenticated`, and `not-found` if the session is not the actor's. */
export async function endSession(store: Store, actor: Actor, id: string): Promise<void> {
  if (!actor) throw notSignedIn();
  await store.transact(async (store) => {
    if (!(await store.sessions.end(actor.memberId, id)))
      throw new Problem('not-found', say('problem.youHaveNoSuchSessionItMay'));
    await store.audit.record({ kind: 'session-ended', subject: { kind: 'member', id: actor.memberId } });
  });
}

/** Ends all sessions of the member except the current one, and records it. Refuses `unauthenticated`. */
export async function endOtherSessions(store: Store, signedIn: SignedIn | undefined): Promise<void> {
  if (!signedIn) throw notSignedIn();
  const { session } = signedIn;
  const { memberId } = session;
  await store.transact(async (store) => {
    await store.sessions.endOthers(memberId, session.id);
    await store.audit.record({
      kind: 'sessions-ended',
      subject: { kind: 'member', id: memberId },
      note: 'all except the current one',
    });
  });
}
