/**
 * Leaving the wiki: deletes the account with its private data and credentials. Contributions are kept, under the member's name
 * or that of a former member. This cannot be undone; an administrator can only invite the person again.
 */
import { say } from '#words/say.ts';
import { notSignedIn } from '../model/problem.ts';
import type { SignedIn } from '../ports/sessions.ts';
import type { Store } from '../ports/store.ts';
import { getRecentAccount } from './change-account.ts';
import { refuseLastAdministrator } from './last-administrator.ts';

/** Refuses `unauthenticated`, also where the sign-in is not recent, and `invalid` for the last active administrator. */
export async function leave(
  store: Store,
  signedIn: SignedIn | undefined,
  { keepsName }: { keepsName: boolean },
  now: number,
): Promise<void> {
  const { id } = await getRecentAccount(store, signedIn, now, 'Leaving');
  await store.transact(async (store) => {
    const member = await store.members.lock(id);
    if (!member?.isActive) throw notSignedIn();
    const words = say('problem.youAreTheLastActiveAdministratorMake');
    await refuseLastAdministrator(store, member, '', words);
    await store.members.removeInvitationsOf(id);
    await store.erasure.forgetMember(id, keepsName ? member.name : `Former member ${id}`);
    await store.audit.record({ kind: 'member-left', subject: { kind: 'member', id } });
  });
}
