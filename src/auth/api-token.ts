/**
 * Secrets of API tokens, in a form that secret scanners can find and verify offline: `cop_`, 30 random base62 characters (178
 * bits), and the CRC-32 of these 30 in base62, padded to 6 characters.
 */
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ApiTokenSecrets } from '#core/ports/credentials.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const form = /^cop_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

export function createApiTokenSecrets(): ApiTokenSecrets {
  return {
    make() {
      const random = Array.from({ length: 30 }, () => digits[randomInt(digits.length)]).join('');
      const secret = `cop_${random}${checksumOf(random)}`;
      return { secret, hash: hashOf(secret) };
    },
    hash(secret) {
      const [, random, checksum] = form.exec(secret) ?? [];
      return random !== undefined && checksum === checksumOf(random) ? hashOf(secret) : undefined;
    },
  };
}

function checksumOf(random: string): string {
  let rest = crc32(random);
  let text = '';
  for (let i = 0; i < 6; i++) {
    text = digits[rest % digits.length] + text;
    rest = Math.floor(rest / digits.length);
  }
  return text;
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
