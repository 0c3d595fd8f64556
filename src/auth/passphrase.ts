/**
 * Passphrases: Argon2id (RFC 9106) on the thread pool of libuv, a few at a time, so that a rush of sign-ins neither
 * blocks the event loop nor takes all memory. Verifying takes the same work whether or not there is a hash.
 */
import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import type { Passphrases } from '#domain/session.ts';
import { takeTurns } from '#domain/turns.ts';

/** OWASP Password Storage Cheat Sheet: Argon2id (the library's default kind) with 19 MiB, two passes, one lane. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** What is longer than any passphrase that can be set is cut, the same for everyone. */
const maxInputLength = 1024;

/** `maxParallel` at once, `maxWaiting` more in line; beyond, Problem `unavailable`. */
export function createPassphrases({ maxParallel = 2, maxWaiting = 256 } = {}): Passphrases {
  const crowded = 'Too many people are signing in at this moment: try again in a minute.';
  const inTurn = takeTurns(maxParallel, maxWaiting, crowded);
  const nobody = hashOfNobody();

  return {
    hash: (passphrase) => inTurn(() => hash(normalised(passphrase), parameters)),
    async verify(stored, passphrase) {
      const isRight = await inTurn(() => verify(stored ?? nobody, normalised(passphrase)));
      return stored !== null && isRight;
    },
  };
}

/** A hash with the same parameters that no passphrase is known for: its digest is random, so it costs nothing to make. */
function hashOfNobody(): string {
  const { memoryCost, timeCost, parallelism } = parameters;
  const [salt, digest] = [16, 32].map((length) => randomBytes(length).toString('base64').replaceAll('=', ''));
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${salt}$${digest}`;
}

/** NFKC, as RFC 8265 has it for passwords that people type on different keyboards. */
function normalised(passphrase: string): string {
  // Cut before the work as well as after: one character may become 18.
  return passphrase.slice(0, maxInputLength).toWellFormed().normalize('NFKC').slice(0, maxInputLength);
}
