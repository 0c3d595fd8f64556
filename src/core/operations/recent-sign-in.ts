/** Adding a way into an account requires recent authentication: a forgotten open browser is not enough. */
import { say } from '#words/say.ts';
import { Problem } from '../model/problem.ts';

export const recentSignInMs = 5 * 60 * 1000;

/** `signedInAt`: when the member of this session last presented credentials; undefined if unknown. */
export function isRecentSignIn(signedInAt: number | undefined, now: number): boolean {
  return signedInAt !== undefined && now - signedInAt <= recentSignInMs;
}

/**
 * `what`: the action that needs a recent sign-in, as the beginning of a sentence. Refuses `unauthenticated` with the detail
 * `again`.
 */
export function refuseUnlessRecent(signedInAt: number | undefined, now: number, what: string): void {
  if (isRecentSignIn(signedInAt, now)) return;
  throw new Problem(
    'unauthenticated',
    `${what} requires a sign-in with your passphrase, a passkey or a provider within the last few minutes. Sign in again.`,
    {
      onSite: say('problem.signInAgainFirst'),
      details: { again: true },
    },
  );
}
