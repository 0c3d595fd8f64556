/** Tokens: sealed claims of who somebody is, opaque to whoever carries them. */
import { BoundedCache } from '#domain/bounded-cache.ts';
import { type Claims, type Tokens, tokenLifetimeMs } from '#domain/session.ts';
import { createSeal } from './seal.ts';

/** A token is a few hundred characters. */
const maxTokenLength = 2048;
/** Opening one takes longer than most of what it is sent with: so many of them that were opened stay so. */
const maxOpened = 10_000;

/** `keys`: 32 bytes each. The first seals, all open. `clock`: milliseconds since the epoch. */
export function createTokens(keys: Uint8Array[], clock: () => number): Tokens {
  const seal = createSeal(keys, clock, {
    audience: 'coppice',
    lifetimeMs: tokenLifetimeMs,
    maxLength: maxTokenLength,
  });
  const opened = new BoundedCache<Claims>(maxOpened);
  return {
    issue({ memberId, epoch, issuedAt, signedInAt }) {
      const signedIn = signedInAt === undefined ? {} : { auth: signedInAt };
      return seal.seal({ sub: String(memberId), epoch, at: issuedAt, ...signedIn }, issuedAt);
    },
    async read(token) {
      const known = opened.get(token);
      const payload = known ? undefined : await seal.open(token);
      const claims = known ?? (payload && claimsOf(payload));
      if (claims && !known) opened.set(token, claims, 1);
      // The claim `exp` counts whole seconds, rounded up; this is the exact end.
      return claims && clock() < claims.issuedAt + tokenLifetimeMs ? claims : undefined;
    },
  };
}

function claimsOf({ sub, epoch, at, auth }: Record<string, unknown>): Claims | undefined {
  const memberId = Number(sub);
  if (!Number.isSafeInteger(memberId) || typeof epoch !== 'number' || typeof at !== 'number')
    return undefined;
  return { memberId, epoch, issuedAt: at, ...(typeof auth === 'number' ? { signedInAt: auth } : {}) };
}
