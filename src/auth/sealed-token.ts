/**
 * Sealed tokens: JWEs (RFC 7516) with `dir` and `A256GCM`, so the payload is secret and cannot be changed. Algorithm, issuer
 * and audience are fixed; a token's own header is not trusted. Each use has its own audience, so that no token is accepted for
 * another use.
 */
import { createHash } from 'node:crypto';
import type { JWTPayload } from 'jose';
// Imported directly, because the library's index loads everything.
import * as errors from 'jose/errors';
import { jwtDecrypt } from 'jose/jwt/decrypt';
import { EncryptJWT } from 'jose/jwt/encrypt';

const issuer = 'coppice';

interface SealedTokens {
  /** `lifetimeMs`: overrides the lifetime of the use. */
  seal(payload: JWTPayload, at: number, lifetimeMs?: number): Promise<string>;
  /** Returns undefined unless it is a valid, unexpired token of this use. Never throws on input. */
  open(text: string): Promise<JWTPayload | undefined>;
}

/**
 * `keys`: 32 bytes each. The first seals, all open. `clock`: milliseconds since 1970. Input longer than `maxLength` is rejected
 * without decrypting it.
 */
export function createSealedTokens(
  keys: Uint8Array[],
  clock: () => number,
  {
    audience,
    lifetimeMs: usualLifetimeMs,
    maxLength,
  }: { audience: string; lifetimeMs: number; maxLength: number },
): SealedTokens {
  const [newest] = keys;
  if (!newest) throw new Error('Sealing needs at least one key.');
  const byId = new Map(keys.map((key) => [keyId(key), key]));
  const sealingId = keyId(newest);

  return {
    seal(payload, at, lifetimeMs = usualLifetimeMs) {
      return new EncryptJWT(payload)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: sealingId })
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(Math.floor(at / 1000))
        .setExpirationTime(Math.ceil((at + lifetimeMs) / 1000))
        .encrypt(newest);
    },
    async open(text) {
      if (text.length > maxLength) return undefined;
      try {
        const { payload } = await jwtDecrypt(text, ({ kid }) => byId.get(kid ?? '') ?? refuse(), {
          issuer,
          audience,
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
          currentDate: new Date(clock()),
        });
        return payload;
      } catch (error) {
        // Such errors mean an invalid token; any other error is a bug.
        if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
        throw error;
      }
    },
  };
}

function refuse(): never {
  throw new errors.JWEInvalid('unknown key');
}

/** Identifier of a key that reveals nothing about it. */
function keyId(key: Uint8Array): string {
  return createHash('sha256').update('coppice key ').update(key).digest('base64url').slice(0, 12);
}
