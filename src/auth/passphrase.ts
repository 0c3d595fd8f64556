/**
 * Passphrases: Argon2id (RFC 9106) on separate threads, a few at a time, so that a rush of sign-ins neither blocks the event
 * loop, nor exhausts memory, nor delays file access in libuv's pool. Verifying costs the same whether or not there is a hash.
 */

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Problem } from '#core/model/problem.ts';
import type { Passphrases } from '#core/ports/credentials.ts';
import { limitConcurrency } from '#scheduling/limit-concurrency.ts';
import { Thread } from '#scheduling/thread.ts';
import { say } from '#words/say.ts';
import type { Task } from './passphrase-thread.ts';

/** OWASP Password Storage Cheat Sheet: Argon2id (the library's default kind) with 19 MiB, two passes, one lane. */
const usualCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
export type PassphraseCost = typeof usualCost;

const commonPassphrases = new URL('./common-passphrases.txt', import.meta.url);

/** Longer input than any valid passphrase is truncated, for everyone alike. */
const maxInputLength = 1024;

/** `maxParallel` at once, and `maxWaiting` more in a queue; beyond, it fails with Problem `unavailable`. */
export function createPassphrases({
  maxParallel = 2,
  maxWaiting = 256,
  wikiName = () => '',
  cost = usualCost,
}: {
  maxParallel?: number;
  maxWaiting?: number;
  wikiName?: () => string;
  cost?: PassphraseCost | undefined;
} = {}): Passphrases {
  const crowded = say('problem.tooManyPeopleAreSigningInAt');
  const limited = limitConcurrency(maxParallel, maxWaiting, () => new Problem('unavailable', crowded));
  const idle: Thread<Task, string | boolean>[] = [];
  const nobody = hashOfNobody(cost);
  let common: string | undefined;

  const run = (task: Task) =>
    limited(async () => {
      const thread = idle.pop() ?? new Thread(new URL('./passphrase-thread.ts', import.meta.url));
      try {
        return await thread.run(task);
      } finally {
        idle.push(thread);
      }
    });

  return {
    hash: async (passphrase) =>
      (await run({ passphrase: normalised(passphrase), parameters: cost })) as string,
    async verify(stored, passphrase) {
      const isRight = await run({ passphrase: normalised(passphrase), hash: stored ?? nobody });
      return stored !== null && isRight === true;
    },
    isCommon(folded) {
      // Read on first use, because most processes never need it.
      common ??= readFileSync(commonPassphrases, 'utf8');
      return common.includes(`\n${folded}\n`);
    },
    get wikiName() {
      return wikiName();
    },
  };
}

/** A hash with the same parameters that matches no known passphrase: its digest is random, so it is cheap to make. */
function hashOfNobody({ memoryCost, timeCost, parallelism }: PassphraseCost): string {
  const [salt, digest] = [16, 32].map((length) => randomBytes(length).toString('base64').replaceAll('=', ''));
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${salt}$${digest}`;
}

/** NFKC, as in RFC 8265 for passwords typed on different keyboards. */
function normalised(passphrase: string): string {
  // Truncated before and after normalisation, because one character may become 18.
  return passphrase.slice(0, maxInputLength).toWellFormed().normalize('NFKC').slice(0, maxInputLength);
}
