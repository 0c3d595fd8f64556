/** Whoever adds a way into an account has shown a moment ago that it is theirs: a forgotten open browser is not enough. */

const recentSignInMs = 5 * 60 * 1000;

/** `signedInAt`: when the member of this session last showed credentials; undefined if nobody knows. */
export function isRecentSignIn(signedInAt: number | undefined, now: number): boolean {
  return signedInAt !== undefined && now - signedInAt <= recentSignInMs;
}
