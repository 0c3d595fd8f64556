/**
 * Changes a member's e-mail address in two steps: the member requests it, and confirms it by a link mailed to the new address.
 * The old address is notified afterwards. Nothing changes before the confirmation, which alone says whether the address is taken:
 * whoever asks must not learn who is a member.
 */

import { say } from '#words/say.ts';
import { checkEmail } from '../model/email.ts';
import type { Member } from '../model/member.ts';
import { isInTime } from '../model/one-time-links.ts';
import type { Actor } from '../model/permission.ts';
import { invalid } from '../model/problem.ts';
import { refuseUnlessRecent } from '../operations/recent-sign-in.ts';
import type { Secrets } from '../ports/credentials.ts';
import type { AddressChange } from '../ports/mail.ts';
import type { Store } from '../ports/store.ts';
import { getOwnAccount } from './change-account.ts';
import { refuseBot, refuseLookalike } from './manage-members.ts';
import { notify } from './notify.ts';

const lifetimeMs = 24 * 60 * 60 * 1000;
/** Addresses of others must not be flooded: one gets at most one mail in this time, whoever asks. */
const mailEveryMs = 5 * 60 * 1000;

/**
 * Queues the mail with the link; an earlier link of this member becomes invalid, unless the same address was asked for a moment
 * ago. Refuses `unauthenticated` with the detail
 * `again` unless the member signed in a moment ago, and `invalid` at `/email` for an invalid address.
 */
export async function askForAddress(
  store: Store,
  actor: Actor,
  { email, signedInAt }: { email: string; signedInAt: number | undefined },
  now: number,
): Promise<void> {
  const member = await getOwnAccount(store, actor);
  refuseUnlessRecent(signedInAt, now, 'Changing your e-mail address');
  const address = checkEmail(email);
  if (address === member.email) throw invalid('/email', say('problem.thisIsAlreadyYourAddress'));
  await store.transact(async (store) => {
    const asked = await store.mails.findAddressChangeOf(member.id);
    const isAsked = asked?.email === address && asked.memberEpoch === member.epoch;
    if (isAsked && asked.createdAt > now - mailEveryMs && asked.createdAt <= now) return;
    const changeId = await store.mails.insertAddressChange({
      memberId: member.id,
      memberEpoch: member.epoch,
      email: address,
      createdAt: now,
      expiresAt: now + lifetimeMs,
    });
    await store.mails.insert({ kind: 'address-confirmation', address, changeId }, now, now - mailEveryMs);
  });
}

/** The pending change of a valid link, with its member. */
export async function findAddressChange(
  store: Store,
  secrets: Secrets,
  token: string,
  now: number,
): Promise<{ change: AddressChange; member: Member } | undefined> {
  const change = await store.mails.findAddressChangeByToken(secrets.hash(token));
  if (!change || !isInTime(change, now)) return undefined;
  const member = await store.members.findById(change.memberId);
  return member?.isActive && member.epoch === change.memberEpoch ? { change, member } : undefined;
}

/** Works once. The link is sufficient authorization: the member requested it, and it was read at the new address. */
export async function confirmAddress(
  store: Store,
  secrets: Secrets,
  token: string,
  now: number,
): Promise<Member> {
  return store.transact(async (store) => {
    const found = await findAddressChange(store, secrets, token, now);
    if (!found || !(await store.mails.removeAddressChange(found.change.id)))
      throw invalid('/token', say('problem.thisLinkWasAlreadyUsedWasReplaced'));
    const { change, member } = found;
    return changeAddress(store, member, change.email, { now, actorId: member.id });
  });
}

/** For the command line: takes effect at once. Refuses `invalid` at `/email` for an invalid address or one that is taken. */
export async function setAddress(store: Store, member: Member, email: string, now: number): Promise<Member> {
  refuseBot(member);
  const address = checkEmail(email);
  return store.transact((store) => changeAddress(store, member, address, { now }));
}

async function changeAddress(
  store: Store,
  { id, name, email: before }: Member,
  email: string,
  { now, ...actor }: { now: number; actorId?: number },
): Promise<Member> {
  await refuseLookalike(store, { name, email }, id);
  const changed = await store.members.update(id, { email });
  // A link that was mailed to the old address must not open the account any more.
  await store.members.removeOpenResetLinks(id);
  await store.audit.record({ kind: 'address-changed', ...actor, subject: { kind: 'member', id } });
  await notify(store, { kind: 'address-changed', address: before, newAddress: email }, now);
  return changed;
}
