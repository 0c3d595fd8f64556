/** Checks the code of a second factor before a passphrase starts a session. */
import { say } from '#words/say.ts';
import { notify } from '../members/notify.ts';
import { countGuess, refuseWhileWaiting, startsWaiting } from '../model/code-guesses.ts';
import type { Member } from '../model/member.ts';
import { Problem, tooManyRequests } from '../model/problem.ts';
import type { OneTimePasswords, Secrets } from '../ports/credentials.ts';
import type { Device } from '../ports/sessions.ts';
import type { Store } from '../ports/store.ts';
import { badCredentials, failedToWrite, unlessUnwritable } from './sessions.ts';

const maxCodeLength = 40;
const maxDevices = 20;
const dayMs = 24 * 60 * 60_000;
/** Number of wrong codes for an account in a day while nothing can be stored. */
const maxUnstoredGuesses = 5;

interface Given {
  member: Member;
  code: string;
  /** Time step of a right code of the app; undefined for any other code. */
  step: number | undefined;
  device: Device;
}

/**
 * Called after the passphrase was checked. Refuses `second-factor-required` if the code is missing, `bad-credentials` if it is
 * wrong or was used already, `too-many-requests` after wrong ones (see `model/code-guesses.ts`), and `unavailable` for a recovery
 * code that cannot be crossed out.
 */
export async function checkSecondFactor(
  { store, now }: { store: Store; now: number },
  { oneTimePasswords, secrets }: { oneTimePasswords: OneTimePasswords; secrets: Secrets },
  member: Member,
  { code: typed = '', device }: { code: string | undefined; device: Device },
): Promise<void> {
  const factor = await store.secondFactors.find(member.id);
  if (!factor || factor.confirmedAt === null) return;
  const code = tidy(typed);
  if (code === '')
    throw new Problem('second-factor-required', say('problem.thisAccountHasASecondFactorSend'));
  const given = { member, code, step: oneTimePasswords.stepOf(factor.secret, code, now), device };
  const isRight = await useStored(store, secrets, given, now).catch((error: unknown) => {
    if (!failedToWrite(store, error)) throw error;
    return useUnstored(store, oneTimePasswords, given, { now, lastStep: factor.lastStep });
  });
  // Also remembered in memory, so that a code used while nothing can be stored is not taken again once that is possible.
  if (!isRight || (given.step !== undefined && !(await oneTimePasswords.useInMemory(member.id, given.step))))
    throw badCredentials();
}

/**
 * Uses up the code, or counts a wrong one. The member's row is locked, so that concurrent attempts cannot exceed the limit.
 * Recovery codes cannot be guessed, so they are neither counted nor delayed.
 */
function useStored(store: Store, secrets: Secrets, given: Given, now: number): Promise<boolean> {
  const { member, code, step, device } = given;
  return store.transact(async (store) => {
    if (!isOfApp(code)) return store.secondFactors.useCode(member.id, secrets.hash(code));
    await store.members.lock(member.id);
    const client = await store.secondFactors.findClient(member.id, device.knownAs);
    refuseWhileWaiting(client.guesses, now);
    if (step !== undefined) return store.secondFactors.useStep(member.id, step);
    const guesses = countGuess(client.guesses, now);
    await store.secondFactors.setGuesses(member.id, client.device, guesses);
    if (startsWaiting(guesses))
      await notify(store, { kind: 'codes-guessed', address: member.email, at: now }, now, now - dayMs);
    return false;
  });
}

/** Checks the code where nothing can be written. A recovery code would work twice, because it cannot be crossed out. */
async function useUnstored(
  store: Store,
  oneTimePasswords: OneTimePasswords,
  { member, code, step, device }: Given,
  { now, lastStep }: { now: number; lastStep: number },
): Promise<boolean> {
  if (!isOfApp(code)) throw new Problem('unavailable', say('problem.recoveryCodesCannotBeUsedNowEach'));
  refuseWhileWaiting((await store.secondFactors.findClient(member.id, device.knownAs)).guesses, now);
  const { current, ttl } = await oneTimePasswords.countInMemory(member.id, dayMs);
  if (current > maxUnstoredGuesses)
    throw tooManyRequests(say('problem.tooManyWrongCodesWereSentFor'), Math.ceil(ttl / 1000));
  if (step === undefined || step <= lastStep) return false;
  await oneTimePasswords.countInMemory(member.id, dayMs, -1);
  return true;
}

/** Makes the browser known to an account with a second factor that it has just signed in to. */
export async function noteSecondFactorDevice(
  store: Store,
  memberId: number,
  device: string,
  now: number,
): Promise<void> {
  const factor = await store.secondFactors.find(memberId);
  if (!factor || factor.confirmedAt === null) return;
  await unlessUnwritable(store, () => store.secondFactors.noteDevice(memberId, device, now, maxDevices));
}

/** Whether the code has six digits, as codes of an authenticator app have. */
function isOfApp(code: string): boolean {
  return /^\d{6}$/.test(code);
}

/** Apps show codes with a space; recovery codes may be typed in either case. */
export function tidy(code: string): string {
  return code.slice(0, maxCodeLength).replaceAll(/\s/g, '').toLowerCase();
}
