/**
 * Reset links: one-time links by which a member who forgot their passphrase chooses a new one. The command line or an
 * administrator with a recent sign-in makes them, valid for four hours; those that the wiki mails are valid for one
 * (`mail/write-letter.ts`). A link ends with the member's epoch, with a newer link, and when its maker is no longer an
 * administrator. Its use is shown to the member for a month.
 */

import { say } from '#words/say.ts';
import { checkPassphrase, refuseBot, replacePassphrase } from '../members/manage-members.ts';
import type { Member } from '../model/member.ts';
import { isInTime, isStanding } from '../model/one-time-links.ts';
import type { Operator } from '../model/permission.ts';
import { invalid, Problem } from '../model/problem.ts';
import { administratorOf } from '../operations/get-administrator.ts';
import type { Passphrases, Secrets } from '../ports/credentials.ts';
import type { Store } from '../ports/store.ts';

const resetLinkLifetimeMs = 4 * 60 * 60 * 1000;
/** Time for which the use of a link is shown. */
export const resetWarningMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Makes a new link and invalidates earlier ones of this member. Faces ask for a recent sign-in. Refuses `unauthenticated`,
 * `administrators-only`, `not-found`, and `invalid` for a deactivated member and for oneself.
 */
export async function makeResetLink(
  { store, secrets, by, now }: { store: Store; secrets: Secrets; by: Operator; now: number },
  memberId: number,
): Promise<{ token: string; expiresAt: number; member: Member }> {
  const { secret, hash } = secrets.make();
  const expiresAt = now + resetLinkLifetimeMs;
  const member = await store.transact(async (store) => {
    const maker = await administratorOf(store, by);
    const member = await store.members.findById(memberId);
    if (!member) throw new Problem('not-found', say('problem.memberNotFound'));
    if (!member.isActive)
      throw invalid('/id', say('problem.isDeactivatedActivateTheAccountFirst', { name: member.name }));
    refuseBot(member);
    if (maker?.id === member.id) {
      throw invalid('/id', say('problem.youCanChangeYourOwnPassphraseUnder'));
    }
    await store.members.removeOpenResetLinks(member.id);
    await store.members.insertResetLink({
      tokenHash: hash,
      memberId: member.id,
      memberEpoch: member.epoch,
      maker: maker && { id: maker.id, epoch: maker.epoch },
      createdAt: now,
      expiresAt,
      forgetBefore: now - resetWarningMs,
    });
    await store.audit.record({ kind: 'reset-link-made', subject: { kind: 'member', id: member.id } });
    return member;
  });
  return { token: secret, expiresAt, member };
}

/** Refuses `not-found` if the member has no open link. */
export async function revokeResetLink(store: Store, memberId: number): Promise<void> {
  await store.transact(async (store) => {
    if (!(await store.members.removeOpenResetLinks(memberId))) {
      throw new Problem('not-found', say('problem.thisMemberHasNoOpenResetLink'));
    }
    await store.audit.record({ kind: 'reset-link-revoked', subject: { kind: 'member', id: memberId } });
  });
}

/** The member of a link that is still valid. */
export async function findResetLink(
  store: Store,
  secrets: Secrets,
  token: string,
  now: number,
): Promise<Member | undefined> {
  const link = await store.members.findResetLink(secrets.hash(token));
  if (!link || !isInTime(link, now) || (link.maker && !isStanding(link.maker))) return undefined;
  const member = await store.members.findById(link.memberId);
  return member?.isActive && member.epoch === link.memberEpoch ? member : undefined;
}

/** Works once and ends every session of the member. A rejected passphrase leaves the link usable. */
export async function resetPassphrase(
  {
    store,
    passphrases,
    secrets,
    now,
  }: { store: Store; passphrases: Passphrases; secrets: Secrets; now: number },
  input: { token: string; pass: string },
): Promise<Member> {
  const found = await findResetLink(store, secrets, input.token, now);
  if (!found) throw spentResetLink();
  checkPassphrase(passphrases, input.pass, found);
  const passphraseHash = await passphrases.hash(input.pass);
  return store.transact(async (store) => {
    const member = await findResetLink(store, secrets, input.token, now);
    if (!member || !(await store.members.useResetLink(secrets.hash(input.token), now)))
      throw spentResetLink();
    return replacePassphrase(store, member, passphraseHash, now);
  });
}

function spentResetLink(): Problem {
  return invalid('/token', say('problem.thisLinkWasAlreadyUsedWasRevoked'));
}
