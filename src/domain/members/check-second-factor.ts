/** Checks the code of a second factor where a passphrase is about to begin a session. */
import type { OneTimePasswords, Secrets } from '../ports/credentials.ts';
import type { Store } from '../ports/store.ts';
import { Problem } from '../problem.ts';
import { badCredentials } from './sessions.ts';

const maxCodeLength = 40;

/**
 * Asked after the passphrase was right. Refuses `second-factor-required` where a code is missing, and `bad-credentials` for a wrong
 * one or one that was used.
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
  const isUsed = await store.transact(async (store) =>
    step === undefined
      ? store.secondFactors.useCode(memberId, secrets.hash(given))
      : store.secondFactors.useStep(memberId, step),
  );
  if (!isUsed) throw badCredentials();
}

/** Apps show codes with a space; recovery codes are typed in either case. */
export function tidy(code: string): string {
  return code.slice(0, maxCodeLength).replaceAll(/\s/g, '').toLowerCase();
}
