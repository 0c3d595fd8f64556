/** Checks the code of a second factor before a passphrase starts a session. */

import { Problem } from '../model/problem.ts';
import type { OneTimePasswords, Secrets } from '../ports/credentials.ts';
import type { Store } from '../ports/store.ts';
import { badCredentials, isUnwritable } from './sessions.ts';

const maxCodeLength = 40;

/**
 * Called after the passphrase was checked. Refuses `second-factor-required` if the code is missing, and `bad-credentials` if it
 * is wrong or was used already.
 */
export async function checkSecondFactor(
  store: Store,
  { oneTimePasswords, secrets }: { oneTimePasswords: OneTimePasswords; secrets: Secrets },
  memberId: number,
  code: string | undefined,
  now: number,
): Promise<void> {
  const factor = await store.secondFactors.find(memberId);
  if (!factor || factor.confirmedAt === null) return;
  const given = tidy(code ?? '');
  if (given === '')
    throw new Problem(
      'second-factor-required',
      'This account has a second factor: send `code` as well, from your authenticator app or one of your recovery codes.',
    );
  const step = oneTimePasswords.stepOf(factor.secret, given, now);
  const used = store.transact(async (store) =>
    step === undefined
      ? store.secondFactors.useCode(memberId, secrets.hash(given))
      : store.secondFactors.useStep(memberId, step),
  );
  const isUsed = await used.catch((error: unknown) => {
    // A code of the app is valid for a minute. Recovery codes must be crossed out, so they wait until that is possible.
    if (step === undefined || !isUnwritable(store)) throw error;
    return oneTimePasswords.useInProcess(memberId, step);
  });
  if (!isUsed) throw badCredentials();
}

/** Apps show codes with a space; recovery codes may be typed in either case. */
export function tidy(code: string): string {
  return code.slice(0, maxCodeLength).replaceAll(/\s/g, '').toLowerCase();
}
