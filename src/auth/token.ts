/**
 * Tokens: JWEs (RFC 7516) with `dir` and `A256GCM`, so what they hold is sealed and opaque. Algorithm, issuer and
 * audience are pinned; nothing that a token says about itself is believed.
 */
import { createHash } from 'node:crypto';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import { type Claims, type Tokens, tokenLifetimeMs } from '#domain/session.ts';

const issuer = 'coppice';

/** A token is a few hundred characters; decrypting something longer would be work for nothing. */
const maxTokenLength = 2048;

/** `keys`: 32 bytes each. The first seals, all open. `clock`: milliseconds since the epoch. */
export function createTokens(keys: Uint8Array[], clock: () => number): Tokens {
  const [newest] = keys;
  if (!newest) throw new Error('Tokens need at least one key.');
  const byId = new Map(keys.map((key) => [keyId(key), key]));
  const sealingId = keyId(newest);

  return {
    issue({ memberId, epoch, issuedAt }) {
      return new EncryptJWT({ sub: String(memberId), epoch, at: issuedAt })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: sealingId })
        .setIssuer(issuer)
        .setAudience(issuer)
        .setIssuedAt(Math.floor(issuedAt / 1000))
        .setExpirationTime(Math.ceil((issuedAt + tokenLifetimeMs) / 1000))
        .encrypt(newest);
    },
    async read(token) {
      if (token.length > maxTokenLength) return undefined;
      try {
        const { payload } = await jwtDecrypt(token, ({ kid }) => byId.get(kid ?? '') ?? refuse(), {
          issuer,
          audience: issuer,
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
          currentDate: new Date(clock()),
        });
        const claims = claimsOf(payload);
        // The claim `exp` counts whole seconds, rounded up; this is the exact end.
        return claims && clock() < claims.issuedAt + tokenLifetimeMs ? claims : undefined;
      } catch (error) {
        // Whatever is wrong with it, it is no token of ours; only a bug is anything else.
        if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
        throw error;
      }
    },
  };
}

function claimsOf({ sub, epoch, at }: Record<string, unknown>): Claims | undefined {
  const memberId = Number(sub);
  if (!Number.isSafeInteger(memberId) || typeof epoch !== 'number' || typeof at !== 'number')
    return undefined;
  return { memberId, epoch, issuedAt: at };
}

function refuse(): never {
  throw new errors.JWEInvalid('unknown key');
}

/** Names a key without telling anything of it. */
function keyId(key: Uint8Array): string {
  return createHash('sha256').update('coppice key ').update(key).digest('base64url').slice(0, 12);
}
