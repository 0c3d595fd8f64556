/**
 * Passkeys: keys that a member's device stores and uses after verifying its user. Signing in by passkey counts as both factors,
 * so no code is required. Adding one needs a recent sign-in, because it is a way into the account.
 */

import { say } from '#words/say.ts';
import { getOwnAccount, getRecentAccount } from '../members/change-account.ts';
import { notify } from '../members/notify.ts';
import type { Actor } from '../model/permission.ts';
import { invalid, Problem } from '../model/problem.ts';
import type { Claims } from '../ports/credentials.ts';
import type { Passkey, Passkeys } from '../ports/passkeys.ts';
import type { Device, Sessions, SignedIn } from '../ports/sessions.ts';
import type { Store } from '../ports/store.ts';
import { badCredentials, failedToWrite } from './sessions.ts';

export const maxPasskeys = 20;
export const maxPasskeyNameLength = 60;
const usualName = 'Passkey';

/** Passkeys of the actor. Refuses `unauthenticated`. */
export async function listPasskeys(store: Store, actor: Actor): Promise<Passkey[]> {
  return store.passkeys.listOf((await getOwnAccount(store, actor)).id);
}

/**
 * Options for the browser to create a passkey. Refuses `unauthenticated`, and `invalid` if passkeys are not possible or their
 * maximum is reached.
 */
export async function beginPasskey(
  { store, passkeys, now }: { store: Store; passkeys: Passkeys; now: number },
  signedIn: SignedIn | undefined,
  address: string,
): Promise<Record<string, unknown>> {
  const member = await getRecentAccount(store, signedIn, now, 'Adding a passkey');
  refuseObstacle(passkeys, address);
  const listed = await store.passkeys.listOf(member.id);
  refuseMore(listed);
  return passkeys.creationOptions(
    address,
    member,
    listed.map(({ credentialId }) => credentialId),
  );
}

/**
 * `credential`: the browser's response. Refuses `unauthenticated`, and `invalid` for a response that is wrong, late or was used
 * before.
 */
export async function addPasskey(
  { store, passkeys, now }: { store: Store; passkeys: Passkeys; now: number },
  signedIn: SignedIn | undefined,
  { credential, name }: { credential: unknown; name: string },
  address: string,
): Promise<Passkey> {
  const member = await getRecentAccount(store, signedIn, now, 'Adding a passkey');
  refuseObstacle(passkeys, address);
  const checked = checkedName(name);
  const made = await passkeys.readCreation(address, credential, member.id);
  const unusable = say('problem.theBrowsersResponseCouldNotBeVerified');
  if (!made) throw invalid('/credential', unusable);
  return store.transact(async (store) => {
    await store.members.lock(member.id);
    refuseMore(await store.passkeys.listOf(member.id));
    if (!(await store.passkeys.useChallenge(made.challenge, now))) throw invalid('/credential', unusable);
    const passkey = { memberId: member.id, name: checked, ...made.credential, createdAt: now };
    const added = await store.passkeys.insert(passkey);
    await tell({ store, now }, 'passkey-added', member, checked);
    return added;
  });
}

/** Refuses `unauthenticated`, `invalid` at `/name`, and `not-found`. */
export async function renamePasskey(store: Store, actor: Actor, id: number, name: string): Promise<void> {
  const member = await getOwnAccount(store, actor);
  const checked = checkedName(name);
  const isRenamed = await store.transact((store) => store.passkeys.rename(member.id, id, checked));
  if (!isRenamed) throw noPasskey();
}

/** Also ends the sessions that it started. Refuses `unauthenticated`, `not-found`, and `invalid` for the last way in. */
export async function removePasskey(store: Store, actor: Actor, id: number, now: number): Promise<void> {
  await store.transact(async (store) => {
    const member = await getOwnAccount(store, actor);
    // Held until the end, so that of two ways in that are removed at the same time the second one is counted as the last.
    const links = await store.identities.lockOf(member.id);
    const listed = await store.passkeys.listOf(member.id);
    if (!listed.some((passkey) => passkey.id === id)) throw noPasskey();
    if (member.passphraseHash === null && links.length === 0 && listed.length === 1)
      throw invalid('', say('problem.thisIsYourOnlyWayToSign'));
    const removed = await store.passkeys.remove(member.id, id);
    if (!removed) throw noPasskey();
    await tell({ store, now }, 'passkey-removed', member, removed.name);
  });
}

/** Options for the browser to sign in by any of its passkeys. Refuses `invalid` if passkeys are not possible. */
export async function passkeyRequest(passkeys: Passkeys, address: string): Promise<Record<string, unknown>> {
  refuseObstacle(passkeys, address);
  return passkeys.requestOptions(address);
}

/**
 * Starts a session. `memberId`: the expected member; undefined for any. Refuses `bad-credentials` with the same words for every
 * error, and `invalid` if passkeys are not possible.
 */
export async function signInByPasskey(
  { store, address, device, now }: { store: Store; address: string; device: Device; now: number },
  { passkeys, sessions }: { passkeys: Passkeys; sessions: Sessions },
  answer: unknown,
  memberId?: number,
): Promise<Claims> {
  refuseObstacle(passkeys, address);
  const credentialId = passkeys.credentialIdOf(answer);
  const passkey = credentialId === undefined ? undefined : await store.passkeys.find(credentialId);
  if (!passkey || (memberId !== undefined && passkey.memberId !== memberId)) throw badCredentials();
  const shown = await passkeys.readRequest(address, answer, passkey);
  const member = await store.members.findById(passkey.memberId);
  if (!shown || !member?.isActive) throw badCredentials();
  const { counter, isSynced, challenge } = shown;
  const used = store.transact(async (store) => {
    if (!(await store.passkeys.useChallenge(challenge, now))) throw badCredentials();
    if (!(await store.passkeys.noteUsed(passkey.id, { counter, isSynced, at: now }))) throw badCredentials();
  });
  await used.catch((error: unknown) => {
    if (!failedToWrite(store, error)) throw error;
  });
  // Also remembered in memory, so that a challenge answered while nothing can be stored is not taken twice.
  if (!(await passkeys.useInMemory(challenge))) throw badCredentials();
  const by = { method: 'passkey', credentialId: passkey.credentialId } as const;
  return sessions.begin(member, by, device, { now, signedInAt: now });
}

function refuseObstacle(passkeys: Passkeys, address: string): void {
  const obstacle = passkeys.obstacleAt(address);
  if (obstacle !== undefined) throw invalid('', obstacle);
}

function refuseMore(listed: readonly Passkey[]): void {
  if (listed.length >= maxPasskeys)
    throw invalid('', say('problem.youHavePasskeysWhichIsTheMaximum', { maxPasskeys }));
}

function checkedName(given: string): string {
  const name = given.normalize('NFC').trim() || usualName;
  if (name.length > maxPasskeyNameLength || /\p{Cc}/u.test(name))
    throw invalid('/name', say('problem.aNameCanHaveAtMostCharacters', { maxPasskeyNameLength }));
  return name;
}

function noPasskey(): Problem {
  return new Problem('not-found', say('problem.youHaveNoSuchPasskey'));
}

async function tell(
  { store, now }: { store: Store; now: number },
  kind: 'passkey-added' | 'passkey-removed',
  { id, email }: { id: number; email: string },
  name: string,
): Promise<void> {
  await store.audit.record({ kind, subject: { kind: 'member', id }, note: name });
  await notify(store, { kind, address: email, name }, now);
}
