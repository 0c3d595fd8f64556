/** Unlinks a provider's account from the member's own, unless it is the last way in. */

import { say } from '#words/say.ts';
import { getOwnAccount } from '../members/change-account.ts';
import { notify } from '../members/notify.ts';
import type { Actor } from '../model/permission.ts';
import { Problem } from '../model/problem.ts';
import type { Store } from '../ports/store.ts';

/** Refuses `unauthenticated`; `not-found` if it is not linked to the actor; `invalid` for the last way in. */
export async function unlinkIdentity(
  store: Store,
  actor: Actor,
  { issuer, subject }: { issuer: string; subject: string },
  now: number,
): Promise<void> {
  await store.transact(async (store) => {
    const member = await getOwnAccount(store, actor);
    // Locked until the end, so that of two concurrent removals the second one is recognised as the last way in.
    const links = await store.identities.lockOf(member.id);
    const removed = links.find((link) => link.issuer === issuer && link.subject === subject);
    if (!removed) {
      throw new Problem('not-found', say('problem.thisAccountIsNotLinkedToYours'));
    }
    const isLast = links.length === 1 && (await store.passkeys.listOf(member.id)).length === 0;
    if (member.passphraseHash === null && isLast) {
      throw new Problem('invalid', say('problem.thisIsYourOnlyWayToSign'));
    }
    await store.identities.remove(issuer, subject);
    await store.audit.record({
      kind: 'provider-unlinked',
      subject: { kind: 'member', id: member.id },
      note: removed.provider,
    });
    await notify(
      store,
      { kind: 'provider-unlinked', address: member.email, provider: removed.provider },
      now,
    );
  });
}
