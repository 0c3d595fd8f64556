/**
 * The second factor besides the passphrase: a code of an app (RFC 6238), or one of ten recovery codes, each of which works
 * once. It is required when a passphrase starts a session. Sign-ins by a provider or handle have their own factors.
 */

import { say } from '#words/say.ts';
import { getOwnAccount, getRecentAccount } from '../members/change-account.ts';
import { notify } from '../members/notify.ts';
import type { Member } from '../model/member.ts';
import type { Actor } from '../model/permission.ts';
import { invalid, Problem } from '../model/problem.ts';
import type { OneTimePasswords, Secrets } from '../ports/credentials.ts';
import type { SecondFactor } from '../ports/second-factor-store.ts';
import type { SignedIn } from '../ports/sessions.ts';
import type { Store } from '../ports/store.ts';
import { tidy } from './check-second-factor.ts';
import { endAllSessions } from './end-sessions.ts';

const recoveryCodes = 10;

/** Whether the actor has a second factor in force, and the number of unused recovery codes. Refuses `unauthenticated`. */
export async function getSecondFactor(
  store: Store,
  actor: Actor,
): Promise<{ isOn: boolean; codesLeft: number }> {
  const { id } = await getOwnAccount(store, actor);
  const found = await store.secondFactors.find(id);
  return { isOn: isInForce(found), codesLeft: found?.codesLeft ?? 0 };
}

/**
 * Creates a new secret, which takes effect once `confirmSecondFactor` has received a code of it. Refuses `unauthenticated`, and
 * `invalid` if there is a second factor already.
 */
export async function beginSecondFactor(
  store: Store,
  passwords: OneTimePasswords,
  signedIn: SignedIn | undefined,
  now: number,
): Promise<{ secret: string; url: string }> {
  const member = await getRecentAccount(store, signedIn, now, 'Adding a second factor');
  if (isInForce(await store.secondFactors.find(member.id)))
    throw invalid('', say('problem.youAlreadyHaveASecondFactorTurn'));
  const secret = passwords.makeSecret();
  await store.transact((store) => store.secondFactors.begin(member.id, secret, now));
  return { secret, url: passwords.urlOf(secret, member.email) };
}

/** The unconfirmed secret, to be shown again. Undefined if there is none or it is confirmed. */
export async function begunSecondFactor(
  store: Store,
  passwords: OneTimePasswords,
  actor: Actor,
): Promise<{ secret: string; url: string } | undefined> {
  const member = await getOwnAccount(store, actor);
  const found = await store.secondFactors.find(member.id);
  if (!found || found.confirmedAt !== null) return undefined;
  return { secret: found.secret, url: passwords.urlOf(found.secret, member.email) };
}

/**
 * From now on the passphrase alone is not enough. Returns the recovery codes, which cannot be shown again. Refuses `invalid` at
 * `/code`.
 */
export async function confirmSecondFactor(
  { store, now }: { store: Store; now: number },
  credentials: { oneTimePasswords: OneTimePasswords; secrets: Secrets },
  signedIn: SignedIn | undefined,
  code: string,
): Promise<string[]> {
  const { oneTimePasswords, secrets } = credentials;
  const member = await getRecentAccount(store, signedIn, now, 'Adding a second factor');
  const codes = makeCodes(oneTimePasswords);
  await store.transact(async (store) => {
    await store.members.lock(member.id);
    const begun = await store.secondFactors.find(member.id);
    if (!begun || begun.confirmedAt !== null) throw invalid('', say('problem.startAddingASecondFactorFirst'));
    const step = oneTimePasswords.stepOf(begun.secret, tidy(code), now);
    if (step === undefined || !(await store.secondFactors.useStep(member.id, step)))
      throw invalid('/code', say('problem.thisCodeIsNotValidNowCheck'));
    await store.secondFactors.confirm(member.id, now);
    await store.secondFactors.setCodes(member.id, codes.map(secrets.hash));
    await tell(store, member, 'second-factor-added', now);
  });
  return codes;
}

/**
 * Returns new recovery codes, which cannot be shown again; earlier ones become invalid. Refuses `unauthenticated`, and
 * `invalid` without a second factor.
 */
export async function renewRecoveryCodes(
  store: Store,
  credentials: { oneTimePasswords: OneTimePasswords; secrets: Secrets },
  signedIn: SignedIn | undefined,
  now: number,
): Promise<string[]> {
  const member = await getRecentAccount(store, signedIn, now, 'Making recovery codes');
  const codes = makeCodes(credentials.oneTimePasswords);
  await store.transact(async (store) => {
    await store.members.lock(member.id);
    if (!isInForce(await store.secondFactors.find(member.id)))
      throw invalid('', say('problem.youHaveNoSecondFactor'));
    await store.secondFactors.setCodes(member.id, codes.map(credentials.secrets.hash));
    await store.audit.record({ kind: 'recovery-codes-made', subject: { kind: 'member', id: member.id } });
  });
  return codes;
}

/** Removes the second factor. Refuses `unauthenticated`, and `not-found` if there is none. */
export async function endSecondFactor(
  store: Store,
  signedIn: SignedIn | undefined,
  now: number,
): Promise<void> {
  const member = await getRecentAccount(store, signedIn, now, 'Turning off a second factor');
  await store.transact(async (store) => {
    if (!(await store.secondFactors.remove(member.id)))
      throw new Problem('not-found', say('problem.youHaveNoSecondFactorToTurn'));
    await tell(store, member, 'second-factor-ended', now);
  });
}

/**
 * For a member who has lost all factors: removes second factor and passkeys and signs them out everywhere, so that the
 * passphrase is sufficient. Refuses `not-found`.
 */
export async function resetSecondFactor(store: Store, id: number, now: number): Promise<void> {
  await store.transact(async (store) => {
    const member = await store.members.findById(id);
    if (!member) throw new Problem('not-found', say('problem.memberNotFound'));
    const hadFactor = await store.secondFactors.remove(id);
    const passkeys = await store.passkeys.removeOf(id);
    if (!hadFactor && passkeys === 0)
      throw new Problem('not-found', say('problem.hasNeitherASecondFactorNorA', { name: member.name }));
    const note = `by reset${passkeys === 0 ? '' : `, passkeys removed: ${passkeys}`}`;
    await store.audit.record({ kind: 'second-factor-ended', subject: { kind: 'member', id }, note });
    // Also invalidates links to a new passphrase, which somebody else may have.
    await endAllSessions(store, id);
    await notify(store, { kind: 'second-factor-reset', address: member.email }, now);
  });
}

function isInForce(factor: SecondFactor | undefined): boolean {
  return factor !== undefined && factor.confirmedAt !== null;
}

async function tell(
  store: Store,
  { id, email }: Member,
  kind: 'second-factor-added' | 'second-factor-ended',
  now: number,
): Promise<void> {
  await store.audit.record({ kind, subject: { kind: 'member', id } });
  await notify(store, { kind, address: email }, now);
}

function makeCodes(passwords: OneTimePasswords): string[] {
  return Array.from({ length: recoveryCodes }, () => passwords.makeRecoveryCode());
}
