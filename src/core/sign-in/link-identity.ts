/** Links a provider's account to the member's own. As this adds a way in, it needs a recent sign-in. */

import { say } from '#words/say.ts';
import { notify } from '../members/notify.ts';
import type { IdentityLink } from '../model/member.ts';
import type { Actor } from '../model/permission.ts';
import { Problem } from '../model/problem.ts';
import { refuseUnlessRecent } from '../operations/recent-sign-in.ts';
import type { Identity, Intent } from '../ports/sign-in-provider.ts';
import type { Store } from '../ports/store.ts';

/** Intent to link an account. Refuses `unauthenticated`, with the detail `again` if the sign-in is not recent. */
export function intentToLink(actor: Actor, signedInAt: number | undefined, now: number): Intent {
  if (!actor) throw new Problem('unauthenticated', say('problem.signInToLinkAnAccount'));
  refuseUnlessRecent(signedInAt, now, 'Linking an account');
  return { kind: 'link', memberId: actor.memberId };
}

/**
 * Links the identity to the member who started linking and is still signed in. Does nothing if it is linked to this member
 * already. Refuses `unauthenticated` for anybody else, and `invalid` if it is another member's.
 */
export async function linkIdentity(
  { store, actor, now }: { store: Store; actor: Actor; now: number },
  intent: { memberId: number },
  { identity, label }: { identity: Identity; label: string },
): Promise<IdentityLink> {
  if (actor?.memberId !== intent.memberId) {
    throw new Problem('unauthenticated', say('problem.youSignedInAsSomebodyElseMeanwhile'));
  }
  return store.transact(async (store) => {
    const known = await store.identities.find(identity.issuer, identity.subject);
    if (known?.memberId === intent.memberId) return known;
    if (known) throw alreadyLinked(label);
    const member = await store.members.findById(intent.memberId);
    if (member) await notify(store, { kind: 'provider-linked', address: member.email, provider: label }, now);
    const subject = { kind: 'member', id: intent.memberId } as const;
    await store.audit.record({ kind: 'provider-linked', subject, note: label });
    return store.identities.insert(linkTo(intent.memberId, identity, now));
  });
}

/** The row by which an account at a provider signs in a member. */
export function linkTo(memberId: number, identity: Identity, linkedAt: number): IdentityLink {
  const { issuer, subject, provider, account } = identity;
  return { issuer, subject, memberId, provider, account, linkedAt };
}

/** The problem `invalid` for an account at a provider that signs in another member. */
export function alreadyLinked(label: string): Problem {
  return new Problem('invalid', say('problem.thisAccountIsLinkedToAnotherMember', { label }));
}
