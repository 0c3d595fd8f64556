/** Time-based one-time passwords (RFC 6238) with the parameters of all apps: six digits, 30 seconds, SHA-1. */
import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Count, OneTimePasswords } from '#core/ports/credentials.ts';

const stepSeconds = 30;
/**
 * RFC 6238 §5.2: number of time steps accepted before and after the current one, because clocks differ and people need time to
 * type.
 */
const tolerance = 1;
const validForMs = (2 * tolerance + 1) * stepSeconds * 1000;
/** RFC 4226 §4, R6: 160 bits. */
const secretBytes = 20;
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

export function createOneTimePasswords(wikiName: () => string, count: Count): OneTimePasswords {
  const totpOf = (secret: string, label = '') =>
    new TOTP({ issuer: wikiName(), label, secret: Secret.fromBase32(secret), period: stepSeconds });
  return {
    useInMemory: async (memberId, step) =>
      (await count(`step ${memberId} ${step}`, validForMs)).current === 1,
    countInMemory: async (memberId, windowMs, by = 1) => count(`codes ${memberId}`, windowMs, by),
    makeSecret: () => new Secret({ size: secretBytes }).base32,
    urlOf: (secret, account) => totpOf(secret, account).toString(),
    stepOf(secret, code, now) {
      if (!/^\d{6}$/.test(code)) return undefined;
      const delta = totpOf(secret).validate({ token: code, timestamp: now, window: tolerance });
      return delta === null ? undefined : Math.floor(now / 1000 / stepSeconds) + delta;
    },
    // About 79 bits, so a plain hash is sufficient.
    makeRecoveryCode: () =>
      Array.from({ length: 4 }, () =>
        Array.from({ length: 4 }, () => alphabet[randomBelow(alphabet.length)]).join(''),
      ).join('-'),
  };
}

/** Unbiased: bytes that would favour the first characters are discarded. */
function randomBelow(limit: number): number {
  for (;;) {
    const [byte = 255] = randomBytes(1);
    if (byte < 256 - (256 % limit)) return byte % limit;
  }
}
