/** Tokens: sealed claims about a session, opaque to their holder. */

import { BoundedCache } from '#cache/bounded-cache.ts';
import { clockToleranceMs } from '#core/model/iso-time.ts';
import { type Claims, type Tokens, tokenLifetimeMs } from '#core/ports/credentials.ts';
import { createSealedTokens } from './sealed-token.ts';

/** Maximum length; real tokens have a few hundred characters. */
const maxTokenLength = 2048;
/** Number of opened tokens that are cached, because opening one takes longer than most requests. */
const maxOpened = 10_000;

/**
 * `keys`: 32 bytes each. The first seals, all open. `clock`: milliseconds since 1970. `cookieLifetimeMs`: maximum lifetime of a
 * cookie of the site.
 */
export function createTokens(keys: Uint8Array[], clock: () => number, cookieLifetimeMs: number): Tokens {
  const sealedTokens = createSealedTokens(keys, clock, {
    audience: 'coppice',
    lifetimeMs: tokenLifetimeMs,
    maxLength: maxTokenLength,
  });
  const opened = new BoundedCache<Claims>(maxOpened);
  const lifetimeOf = (isCookie: boolean | undefined) => (isCookie ? cookieLifetimeMs : tokenLifetimeMs);
  return {
    issue({ memberId, epoch, sessionId, isCookie, issuedAt, signedInAt }) {
      const kind = isCookie ? { cookie: true } : {};
      const signedIn = signedInAt === undefined ? {} : { auth: signedInAt };
      return sealedTokens.seal(
        { sub: String(memberId), epoch, sid: sessionId, at: issuedAt, ...kind, ...signedIn },
        issuedAt,
        lifetimeOf(isCookie),
      );
    },
    async read(token) {
      const known = opened.get(token);
      const payload = known ? undefined : await sealedTokens.open(token);
      const claims = known ?? (payload && claimsOf(payload));
      if (!claims) return undefined;
      if (!known) opened.set(token, claims, 1);
      const ageMs = clock() - claims.issuedAt;
      // The claim `exp` has whole seconds, rounded up; this is the exact end. A token issued by a clock that ran ahead would be
      // valid for too long.
      const isValid = ageMs < lifetimeOf(claims.isCookie) && ageMs >= -clockToleranceMs;
      return isValid ? claims : undefined;
    },
  };
}

function claimsOf({ sub, epoch, sid, at, cookie, auth }: Record<string, unknown>): Claims | undefined {
  const memberId = Number(sub);
  if (!Number.isSafeInteger(memberId) || typeof epoch !== 'number' || typeof at !== 'number')
    return undefined;
  if (typeof sid !== 'string') return undefined;
  return {
    memberId,
    epoch,
    sessionId: sid,
    issuedAt: at,
    ...(cookie === true ? { isCookie: true } : {}),
    ...(typeof auth === 'number' ? { signedInAt: auth } : {}),
  };
}
