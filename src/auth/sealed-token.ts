/**
 * Sealed tokens: JWEs (RFC 7516) with `dir` and `A256GCM`, so their payload is hidden and cannot be altered. Algorithm,
 * issuer and audience are pinned; nothing that a token says about itself is believed. Each use has an audience of its
 * own, so that no token is accepted for a use that it was not sealed for.
 */
import { createHash } from 'node:crypto';
import type { JWTPayload } from 'jose';
// Not by way of the library's index, which would load all that it can.
import * as errors from 'jose/errors';
import { jwtDecrypt } from 'jose/jwt/decrypt';
import { EncryptJWT } from 'jose/jwt/encrypt';

const issuer = 'coppice';

export interface SealedTokens {
  /** `lifetimeMs`: if it is another one than that of the use. */
  seal(payload: JWTPayload, at: number, lifetimeMs?: number): Promise<string>;
  /** Undefined for anything that is not a valid, unexpired token of this use. Never throws on input. */
  open(text: string): Promise<JWTPayload | undefined>;
}

/**
 * `keys`: 32 bytes each. The first seals, all open. `clock`: milliseconds since the epoch. Decrypting something longer
 * than `maxLength` would be work for nothing.
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
        // Whatever is wrong with it, it is no token of ours; only a bug is anything else.
        if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
        throw error;
      }
    },
  };
}

function refuse(): never {
  throw new errors.JWEInvalid('unknown key');
}

/** Names a key without telling anything of it. */
function keyId(key: Uint8Array): string {
  return createHash('sha256').update('coppice key ').update(key).digest('base64url').slice(0, 12);
}
