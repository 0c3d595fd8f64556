/** Joining with an invitation and a provider's account, without a passphrase. */

import { checkMember, refuseLookalike } from '../members/manage-members.ts';
import { type Member, newRole } from '../model/member.ts';
import type { Settings } from '../model/settings.ts';
import type { Secrets } from '../ports/credentials.ts';
import type { Identity } from '../ports/sign-in-provider.ts';
import type { Store } from '../ports/store.ts';
import { alreadyLinked, linkTo } from '../sign-in/link-identity.ts';
import { applySetupAnswers, findInvitation, recordJoining, spentInvitation } from './invite-member.ts';

/**
 * Accepts an invitation with a provider's identity instead of a passphrase. Works once; invalid fields leave it usable. Refuses
 * `invalid` for a used invitation (at `/token`), for invalid fields, and for an identity that is already linked to a member.
 */
export async function joinByProvider(
  store: Store,
  secrets: Secrets,
  input: {
    token: string;
    identity: Identity;
    label: string;
    email: string;
    name: string;
    /** Answers of the first administrator, used as `acceptInvitation` uses them. */
    settings?: Partial<Settings>;
  },
  now: number,
): Promise<Member> {
  const { identity, label, token } = input;
  return store.transact(async (store) => {
    const invitation = await findInvitation(store, secrets, token, now);
    if (!invitation) throw spentInvitation();
    const { email, name } = checkMember({ ...input, passphrase: null, isAdmin: false });
    await refuseLookalike(store, { email, name });
    await refuseLinked(store, identity, label);
    if (!(await store.members.useInvitation(secrets.hash(token), now))) throw spentInvitation();
    const role = newRole(invitation.role);
    const member = await store.members.insert({ email, name, ...role, passphraseHash: null, createdAt: now });
    await recordJoining(store, member, invitation);
    await applySetupAnswers({ store, settings: input.settings, now }, member, invitation);
    await store.identities.insert(linkTo(member.id, identity, now));
    return member;
  });
}

/** Refuses `invalid` if the identity is already linked to a member, who needs no invitation. */
export async function refuseLinked(store: Store, identity: Identity, label: string): Promise<void> {
  if (await store.identities.find(identity.issuer, identity.subject)) throw alreadyLinked(label);
}
