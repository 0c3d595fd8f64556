/** Signs a member out everywhere: every token issued so far is dead. */
import type { Actor } from './permission.ts';
import { Problem } from './problem.ts';
import type { Store } from './store.ts';

export async function endSessions(store: Store, actor: Actor): Promise<void> {
  if (!actor) throw new Problem('unauthenticated', 'You are not signed in.');
  await store.transact((store) => store.members.raiseEpoch(actor.memberId));
}
