/** One-time secrets: handles and invitations. They have 256 bits, so a plain hash is sufficient. */
import { createHash, randomBytes } from 'node:crypto';
import type { Secrets } from '#core/ports/credentials.ts';

export function createSecrets(): Secrets {
  return {
    make() {
      const secret = randomBytes(32).toString('base64url');
      return { secret, hash: hashOf(secret) };
    },
    hash: hashOf,
  };
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret.toWellFormed()).digest('hex');
}
