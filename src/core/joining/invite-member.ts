/**
 * Invitations: one-time links, valid for seven days, by which a person becomes a member. The first one creates the first
 * administrator.
 *
 * An administrator's invitation is valid while they are an active administrator with the same epoch. One made by the command
 * line has no inviter and lasts until it expires or is revoked. Each names the new member's role.
 */

import { say } from '#words/say.ts';
import { checkMember, refuseLookalike } from '../members/manage-members.ts';
import { refuseBeyondCredential } from '../members/may-give.ts';
import { checkEmail } from '../model/email.ts';
import { type Member, newRole, type Role } from '../model/member.ts';
import { type Invitation, isInTime, isStanding } from '../model/one-time-links.ts';
import type { Operator } from '../model/permission.ts';
import { invalid, Problem } from '../model/problem.ts';
import { changedSettings, type Settings, shortSetting } from '../model/settings.ts';
import { administratorOf } from '../operations/get-administrator.ts';
import type { Passphrases, Secrets } from '../ports/credentials.ts';
import type { Store } from '../ports/store.ts';

const invitationLifetimeMs = 7 * 24 * 60 * 60 * 1000;
/** Maximum number of open invitations, so that all of them can be listed. */
export const maxInvitations = 1000;

export const spentSentence = say('problem.thisInvitationWasAlreadyUsedWasRevoked');

/** `token`: token of the link to pass on; absent if the link is mailed. */
interface MadeInvitation {
  id: number;
  expiresAt: number;
  token?: string;
  mailedTo?: string;
}

/**
 * `'setup'`: the wiki itself invites its first administrator. With `email`, the link is mailed there if a mail server is
 * configured. Refuses `unauthenticated`, `administrators-only`, and `invalid` at `/email`.
 */
export async function inviteMember(
  { store, secrets, actor, now }: { store: Store; secrets: Secrets; actor: Operator | 'setup'; now: number },
  wanted: { role?: Role | undefined; email?: string | undefined },
): Promise<MadeInvitation> {
  const address = wanted.email === undefined ? undefined : checkEmail(wanted.email);
  const { role = 'writer' } = wanted;
  const { secret, hash } = secrets.make();
  const expiresAt = now + invitationLifetimeMs;
  return store.transact(async (store) => {
    const inviter = actor === 'setup' ? null : await administratorOf(store, actor);
    if (actor !== 'setup') refuseBeyondCredential(actor, role);
    await store.members.purgeInvitations(now);
    if ((await store.members.listInvitations(now, maxInvitations)).length >= maxInvitations) {
      throw invalid('', say('problem.thereAreAlreadyOpenInvitationsRevokeSome', { maxInvitations }));
    }
    const id = await store.members.insertInvitation({
      tokenHash: hash,
      role,
      byCommandLine: actor === 'command line',
      inviter: inviter && { id: inviter.id, epoch: inviter.epoch },
      createdAt: now,
      expiresAt,
    });
    const note = `as ${role}`;
    await store.audit.record({ kind: 'invitation-made', subject: { kind: 'invitation', id }, note });
    if (address === undefined || !store.mails.isOn) return { token: secret, id, expiresAt };
    await store.mails.insert({ kind: 'invitation', address, invitationId: id }, now);
    return { mailedTo: address, id, expiresAt };
  });
}

/** Open invitations, newest first, without their tokens, which are not stored. */
export async function listInvitations(store: Store, now: number): Promise<Invitation[]> {
  const valid = (await store.members.listInvitations(now, maxInvitations)).filter(isValid);
  return (await hasMembers(store)) ? valid.filter((invitation) => !isSetup(invitation)) : valid;
}

/** Refuses `not-found` if the invitation is not open. */
export async function revokeInvitation(store: Store, id: number): Promise<void> {
  await store.transact(async (store) => {
    if (!(await store.members.removeInvitation(id)))
      throw new Problem('not-found', say('problem.invitationNotFoundOrNoLongerOpen'));
    await store.audit.record({ kind: 'invitation-revoked', subject: { kind: 'invitation', id } });
  });
}

/** The invitation of a token, if it is still valid. */
export async function findInvitation(
  store: Store,
  secrets: Secrets,
  token: string,
  now: number,
): Promise<Invitation | undefined> {
  const invitation = await store.members.findInvitation(secrets.hash(token));
  if (!invitation || !isInTime(invitation, now) || !isValid(invitation)) return undefined;
  // The set-up link becomes invalid as soon as the wiki has a member.
  if (isSetup(invitation) && (await hasMembers(store))) return undefined;
  return invitation;
}

function isValid({ inviter }: Invitation): boolean {
  return inviter === null || isStanding(inviter);
}

/** Whether the invitation is that of the first administrator. */
export function isSetup({ inviter, byCommandLine }: Invitation): boolean {
  return inviter === null && !byCommandLine;
}

/**
 * Works once per invitation, even with concurrent attempts. Invalid fields leave it usable. `settings`: answers of the person
 * who sets up the wiki; ignored for every other invitation.
 */
export async function acceptInvitation(
  {
    store,
    passphrases,
    secrets,
    now,
  }: { store: Store; passphrases: Passphrases; secrets: Secrets; now: number },
  input: { token: string; email: string; name: string; pass: string; settings?: Partial<Settings> },
): Promise<Member> {
  if (!(await findInvitation(store, secrets, input.token, now))) throw spentInvitation();
  const { email, name } = checkMember({ ...input, passphrase: input.pass, isAdmin: false }, passphrases);
  const passphraseHash = await passphrases.hash(input.pass);
  return store.transact(async (store) => {
    const invitation = await findInvitation(store, secrets, input.token, now);
    if (!invitation || !(await store.members.useInvitation(secrets.hash(input.token), now)))
      throw spentInvitation();
    await refuseLookalike(store, { email, name });
    const role = newRole(invitation.role);
    const member = await store.members.insert({ email, name, ...role, passphraseHash, createdAt: now });
    await recordJoining(store, member, invitation);
    await applySetupAnswers({ store, settings: input.settings, now }, member, invitation);
    return member;
  });
}

/** Called in the transaction that creates the member. */
export async function recordJoining(store: Store, member: Member, { id }: Invitation): Promise<void> {
  await store.audit.record({
    kind: 'member-joined',
    actorId: member.id,
    subject: { kind: 'member', id: member.id },
    note: `as ${member.role}, by invitation ${id}`,
  });
}

/** Writes the settings that the first administrator chose while joining. Other invitations change none. */
export async function applySetupAnswers(
  { store, settings, now }: { store: Store; settings: Partial<Settings> | undefined; now: number },
  member: Member,
  invitation: Invitation,
): Promise<void> {
  if (!settings || !isSetup(invitation)) return;
  const { current, fixed } = store.settings;
  const changed = changedSettings(settings, current(), fixed, '/wiki-');
  await store.settings.write(changed, now, member.id);
  for (const [name, value] of Object.entries(changed)) {
    const subject = { kind: 'setting', name } as const;
    await store.audit.record({
      kind: 'settings-changed',
      actorId: member.id,
      subject,
      note: shortSetting(value),
    });
  }
}

/** The refusal of an invitation that was used or has expired. */
export function spentInvitation(): Problem {
  return invalid('/token', spentSentence);
}

/** Whether a refused invitation failed because of its token, so that trying again is in vain. */
export function isSpent({ errors = [] }: Pick<Problem, 'errors'>): boolean {
  return errors.some(({ pointer }) => pointer === '/token');
}

/** A token for the first administrator, while the wiki has no members. */
export async function ensureSetupInvitation(
  store: Store,
  secrets: Secrets,
  now: number,
): Promise<string | undefined> {
  if (await hasMembers(store)) return undefined;
  return (await inviteMember({ store, secrets, actor: 'setup', now }, { role: 'administrator' })).token;
}

async function hasMembers(store: Store): Promise<boolean> {
  return (await store.members.list({ limit: 1, offset: 0 })).total > 0;
}
