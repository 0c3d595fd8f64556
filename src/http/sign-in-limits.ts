/**
 * Limits on guessing passphrases. Only failures count, in three places:
 *
 * - a browser that has signed in to the account before has its own allowance (OWASP's device cookies), so that nobody
 *   else can use it up;
 * - all other clients share a strict limit for each account and address, and a generous one for each account.
 *
 * An attempt is counted before the passphrase is checked, and taken back if it was right, so that concurrent guesses cannot
 * exceed the limit.
 */
import { finished } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notify } from '#core/members/notify.ts';
import { Problem } from '#core/model/problem.ts';
import type { Count } from '#core/ports/credentials.ts';
import { countFailedSignIn } from '#core/sign-in/count-failed-sign-in.ts';
import { addressGroup } from './address-group.ts';
import { type Limits, refuseBeyond } from './limits.ts';
import { viaOf } from './origins.ts';
import type { Service } from './service.ts';

const day = 24 * 60 * 60_000;

/** Maximum number of failures per window. */
export const failureRates = {
  perDevice: { max: 10, windowMs: 15 * 60_000 },
  perAccountAndAddress: { max: 10, windowMs: 15 * 60_000 },
  perAccount: { max: 300, windowMs: 60 * 60_000 },
} as const;

/** Account of the attempt. */
interface TriedAccount {
  email: string;
  /** ID of the browser, if it has signed in to this account before. */
  device?: string | undefined;
}

export interface SignInLimits {
  /**
   * Runs `attempt` unless too many have failed; then it refuses `too-many-requests`. A refused passphrase counts as a failure,
   * and is recorded for the member's next sign-in after the response, so that timing reveals nothing.
   */
  try<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    account: TriedAccount,
    attempt: () => Promise<T>,
  ): Promise<T>;
  /** Runs a sign-in that names no account, and records failures. */
  tryUnnamed<T>(request: FastifyRequest, reply: FastifyReply, attempt: () => Promise<T>): Promise<T>;
  /** Resolves when the failures of all sent responses are recorded. */
  settled(): Promise<void>;
}

/** `count`: undefined if limits are off. */
export function createSignInLimits(
  { store, clock }: Pick<Service, 'store' | 'clock'>,
  limits: Limits,
  count: Count | undefined,
): SignInLimits {
  const writing = new Set<Promise<void>>();

  const afterReply = (request: FastifyRequest, reply: FastifyReply, write: () => Promise<void>) => {
    finished(reply.raw, () => {
      const written = write()
        .catch((error) => request.log.warn({ err: error }, 'a failed sign-in could not be written down'))
        .finally(() => writing.delete(written));
      writing.add(written);
    });
  };
  const writeDown = (request: FastifyRequest, reply: FastifyReply, email?: string) => {
    const failure = { at: clock(), from: addressGroup(request.ip), via: viaOf(request), email };
    afterReply(request, reply, () => countFailedSignIn(store, failure));
  };

  /** At most one mail a day, so that attackers cannot flood the mailbox. */
  const tellMember = (request: FastifyRequest, reply: FastifyReply, address: string) => {
    const at = clock();
    afterReply(request, reply, () => notify(store, { kind: 'guesses-limited', address, at }, at, at - day));
  };

  return {
    async try(request, reply, account, attempt) {
      if (account.device === undefined) await limits.countSignIn(request);
      const counted: { key: string; windowMs: number }[] = [];
      const takeBack = async () => {
        for (const { key, windowMs } of counted) await count?.(key, windowMs, -1);
      };
      // Checked in sequence, so that attempts refused by the strict limit do not use up the generous one.
      for (const { key, max, windowMs } of count ? countsOf(request, account) : []) {
        const { current, ttl } = (await count?.(key, windowMs)) ?? { current: 0, ttl: 0 };
        const ttlInSeconds = Math.ceil(ttl / 1000);
        if (current === max + 1) tellMember(request, reply, account.email);
        refuseBeyond({ isAllowed: false, isExceeded: current > max, ttlInSeconds });
        counted.push({ key, windowMs });
      }
      try {
        const result = await attempt();
        await takeBack();
        return result;
      } catch (error) {
        if (isWrongPassphrase(error)) writeDown(request, reply, account.email);
        else await takeBack();
        throw error;
      }
    },
    async tryUnnamed(request, reply, attempt) {
      try {
        return await attempt();
      } catch (error) {
        if (isWrongPassphrase(error)) writeDown(request, reply);
        throw error;
      }
    },
    async settled() {
      await Promise.all(writing);
    },
  };
}

function countsOf(request: FastifyRequest, { email, device }: TriedAccount) {
  if (device !== undefined) return [{ key: `device ${device}`, ...failureRates.perDevice }];
  const account = emailKey(email);
  return [
    { key: `at ${addressGroup(request.ip)} ${account}`, ...failureRates.perAccountAndAddress },
    { key: `account ${account}`, ...failureRates.perAccount },
  ];
}

/** The same key for all spellings of an address. */
export function emailKey(email: string): string {
  return email.normalize('NFC').trim().toLowerCase().slice(0, 320);
}

/** Whether the passphrase was checked and is wrong. */
function isWrongPassphrase(error: unknown): boolean {
  if (!(error instanceof Problem)) return false;
  return (
    error.code === 'bad-credentials' || Boolean(error.errors?.some(({ pointer }) => pointer === '/current'))
  );
}
