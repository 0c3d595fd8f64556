/** Creates and changes members, for the command line, administrators and members themselves. */

import type { Words } from '#html/html.ts';
import { say } from '#words/say.ts';
import { isEmail, noEmail } from '../model/email.ts';
import type { Member, Role } from '../model/member.ts';
import type { Operator } from '../model/permission.ts';
import { allInvalid, type FieldError, fieldError, invalid, Problem } from '../model/problem.ts';
import type { Passphrases, Secrets } from '../ports/credentials.ts';
import type { Store } from '../ports/store.ts';
import { refuseLastAdministrator } from './last-administrator.ts';
import { refuseBeyondCredential } from './may-give.ts';
import { notify } from './notify.ts';
import { weaknessOf } from './weak-passphrase.ts';

export const minPassphraseLength = 12;
const maxPassphraseLength = 1024;
const maxNameLength = 100;

interface MemberInput {
  email: string;
  name: string;
  /** Null for members without a passphrase, who sign in by a stored OAuth 2.0 token. */
  passphrase: string | null;
  isAdmin: boolean;
  /** Role of a member who is no administrator; defaults to `writer`. */
  role?: Exclude<Role, 'administrator'> | undefined;
  /** A bot acts only by API tokens; `passphrase` is null. */
  isBot?: boolean;
  /** Whether the name or address may look like another member's; for the command line. */
  allowsLookalike?: boolean;
}

/** Refuses `invalid`, naming all invalid fields at once, including an address that is taken. */
export async function addMember(
  store: Store,
  passphrases: Passphrases,
  input: MemberInput,
  now: number,
): Promise<Member> {
  const { email, name } = checkMember(input, passphrases);
  const passphraseHash = input.passphrase === null ? null : await passphrases.hash(input.passphrase);
  return store.transact(async (store) => {
    if (!input.allowsLookalike) await refuseLookalike(store, { email, name });
    const member = await store.members.insert({
      email,
      name,
      isAdmin: input.isAdmin,
      role: input.role,
      isBot: input.isBot ?? false,
      passphraseHash,
      createdAt: now,
    });
    await store.audit.record({
      kind: 'member-added',
      subject: { kind: 'member', id: member.id },
      note: `as ${member.role}${member.isBot ? ', bot' : ''}`,
    });
    return member;
  });
}

/** Refuses `invalid` for a bot, which cannot sign in and acts only by API tokens. */
export function refuseBot({ isBot, name }: Member): void {
  if (isBot) throw invalid('/email', say('problem.isABotItCannotSignIn', { name }));
}

/**
 * Called in a transaction that creates or renames a member. Refuses `invalid` if the name or address is, or looks like, another
 * member's (UTS #39). Holds a lock, so that no other transaction creates or renames a member before it ends.
 */
export async function refuseLookalike(
  store: Store,
  given: { name: string; email?: string },
  exceptId = 0,
): Promise<void> {
  const found = await store.members.lockLookalikes(given, exceptId);
  const errors: FieldError[] = [];
  if (found.email) {
    errors.push(fieldError('/email', say('problem.aMemberWithThisEMailAddress2'), 'taken'));
  }
  if (found.name) {
    errors.push(fieldError('/name', say('problem.anotherMemberHasThisNameOrA'), 'taken'));
  }
  if (errors.length > 0) throw allInvalid(errors);
}

/** `passphrases` is only needed if a passphrase is given. */
export function checkMember(input: MemberInput, passphrases?: Passphrases): { email: string; name: string } {
  const errors: FieldError[] = [];
  const refuse = (pointer: string, detail: Words) => errors.push(fieldError(pointer, detail));
  const email = input.email.normalize('NFC').trim();
  const { name, problem } = readName(input.name);
  if (!isEmail(email)) refuse('/email', noEmail);
  if (problem) refuse('/name', problem);
  if (input.passphrase !== null && passphrases) {
    const weakness = weaknessIn(passphrases, input.passphrase, { email, name });
    if (weakness !== undefined) refuse('/pass', weakness);
  }
  if (errors.length > 0) throw allInvalid(errors);
  return { email, name };
}

/** The name in its usual form, and why it cannot be one. */
export function readName(given: string): { name: string; problem?: Words } {
  const name = given.normalize('NFC').replace(/\s+/gu, ' ').trim();
  const isWrong = name === '' || [...name].length > maxNameLength || /[\p{Cc}\p{Cf}]/u.test(name);
  if (!isWrong && name.isWellFormed()) return { name };
  return { name, problem: say('problem.aNameMustHave1ToCharacters', { maxNameLength }) };
}

/** Refuses `invalid` at `/pass` for a passphrase that is too short, too long or easily guessed. */
export function checkPassphrase(
  passphrases: Passphrases,
  passphrase: string,
  member: { email: string; name: string },
): void {
  const weakness = weaknessIn(passphrases, passphrase, member);
  if (weakness !== undefined) throw invalid('/pass', weakness);
}

/**
 * Replaces the passphrase of a member and ends all sessions. Refuses `not-found`, and `invalid` for bots and weak passphrases.
 */
export async function setPassphrase(
  { store, passphrases, now }: { store: Store; passphrases: Passphrases; now: number },
  email: string,
  passphrase: string,
): Promise<Member> {
  const member = await getByEmail(store, email);
  refuseBot(member);
  checkPassphrase(passphrases, passphrase, member);
  const passphraseHash = await passphrases.hash(passphrase);
  return store.transact((store) => replacePassphrase(store, member, passphraseHash, now));
}

/** Within a transaction: ends every session, revokes every handle, and notifies the member. */
export async function replacePassphrase(
  store: Store,
  member: Member,
  passphraseHash: string,
  now: number,
): Promise<Member> {
  await notify(store, { kind: 'passphrase-changed', address: member.email }, now);
  await store.audit.record({ kind: 'passphrase-changed', subject: { kind: 'member', id: member.id } });
  return store.members.update(member.id, { passphraseHash });
}

/** Refuses to demote or deactivate the last active administrator, and a role beyond the powers of `by`. */
export async function changeMember(
  store: Store,
  email: string,
  fields: { role?: Role | undefined; isActive?: boolean | undefined; name?: string },
  by: Operator = 'command line',
): Promise<Member> {
  return store.transact(async (store) => {
    const member = await getByEmail(store, email);
    const changesRights =
      (fields.role ?? member.role) !== member.role ||
      (fields.isActive ?? member.isActive) !== member.isActive;
    if (changesRights) refuseBeyondCredential(by, member.role, fields.role ?? member.role);
    const staysAdmin =
      (fields.role ?? member.role) === 'administrator' && (fields.isActive ?? member.isActive);
    if (!staysAdmin)
      await refuseLastAdministrator(store, member, fields.isActive === false ? '/isActive' : '/role');
    // Removed, because a later promotion must not revive old invitations.
    if (!staysAdmin) await store.members.removeInvitationsOf(member.id);
    const { role, isActive, name } = fields;
    const changed = await store.members.update(member.id, {
      ...(role === undefined ? {} : { role }),
      ...(isActive === undefined ? {} : { isActive }),
      ...(name === undefined ? {} : { name }),
    });
    await recordChange(store, member, changed);
    return changed;
  });
}

async function recordChange(store: Store, before: Member, after: Member): Promise<void> {
  const subject = { kind: 'member', id: after.id } as const;
  if (after.name !== before.name) await store.audit.record({ kind: 'member-renamed', subject });
  if (after.role !== before.role) {
    const note = `${before.role} → ${after.role}`;
    await store.audit.record({ kind: 'role-changed', subject, note });
  }
  if (after.isActive === before.isActive) return;
  await store.audit.record({ kind: after.isActive ? 'member-activated' : 'member-deactivated', subject });
}

/** Creates the handle of a stored OAuth 2.0 token: shown once, stored as a hash. */
export async function linkProvider(
  { store, secrets, now }: { store: Store; secrets: Secrets; now: number },
  email: string,
  provider: string,
): Promise<{ member: Member; provider: string; id: string }> {
  const named = readProvider(provider);
  const member = await getByEmail(store, email);
  refuseBot(member);
  const { secret, hash } = secrets.make();
  const { id } = member;
  await store.transact(async (store) => {
    await store.members.insertHandle({ handleHash: hash, memberId: id, provider: named, createdAt: now });
    const note = `handle of ${named}`;
    await store.audit.record({ kind: 'provider-linked', subject: { kind: 'member', id }, note });
  });
  return { member, provider: named, id: secret };
}

/** Removes the stored tokens of a provider. Returns how many there were. Refuses `not-found` for an unknown address. */
export async function unlinkProvider(store: Store, email: string, provider: string): Promise<number> {
  const named = readProvider(provider);
  const { id } = await getByEmail(store, email);
  return store.transact(async (store) => {
    const removed = await store.members.removeHandles(id, named);
    const note = `handles of ${named}`;
    if (removed > 0)
      await store.audit.record({ kind: 'provider-unlinked', subject: { kind: 'member', id }, note });
    return removed;
  });
}

/** Refuses `not-found` if no member has the address, which is compared without regard to case. */
export async function getByEmail(store: Pick<Store, 'members'>, email: string): Promise<Member> {
  const member = await store.members.findByEmail(email.normalize('NFC').trim());
  if (!member) throw new Problem('not-found', say('problem.noMemberHasTheAddress', { email }));
  return member;
}

/** Name of a provider in normal form: lower case, without space around it. */
export function providerName(text: string): string {
  return text.trim().toLowerCase();
}

function readProvider(text: string): string {
  const provider = providerName(text);
  if (!/^[a-z0-9][a-z0-9._-]{0,63}$/.test(provider)) {
    throw invalid('/provider', say('problem.theNameOfAProviderCanHave'));
  }
  return provider;
}

function weaknessIn(
  passphrases: Passphrases,
  passphrase: string,
  { email, name }: { email: string; name: string },
): Words | undefined {
  const length = [...passphrase].length;
  if (length < minPassphraseLength)
    return say('problem.aPassphraseMustHaveAtLeastCharacters', { minPassphraseLength });
  if (length > maxPassphraseLength)
    return say('problem.aPassphraseCanHaveAtMostCharacters', { maxPassphraseLength });
  return weaknessOf(passphrase, [email, name, passphrases.wikiName], passphrases.isCommon);
}
