/**
 * Limits on guessing passphrases. Only failures count, in three places:
 *
 * - a browser that has signed in to the account before has an allowance of its own (OWASP's device cookies), so that nobody
 *   else can use it up;
 * - everybody else shares a tight allowance for each account and address, and a wide one for each account.
 *
 * An attempt is counted before the passphrase is looked at and taken back when it was right: guesses made at the same
 * time cannot slip through together.
 */
import { finished } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { countFailedSignIn } from '#domain/audit/count-failed-sign-in.ts';
import { notify } from '#domain/mail/notify.ts';
import { Problem } from '#domain/problem.ts';
import { addressGroup } from './address-group.ts';
import { type Limits, refuseBeyond } from './limits.ts';
import { viaOf } from './origins.ts';
import type { Counted, Service } from './service.ts';

const day = 24 * 60 * 60_000;

/** How many failures in which time. */
export const failureRates = {
  perDevice: { max: 10, windowMs: 15 * 60_000 },
  perAccountAndAddress: { max: 10, windowMs: 15 * 60_000 },
  perAccount: { max: 300, windowMs: 60 * 60_000 },
} as const;

/** Adds to a count that lasts so long from its first time; returns what it is then. */
export type Count = (key: string, windowMs: number, by?: number) => Counted | Promise<Counted>;

/** Whose passphrase is tried. */
export interface TriedAccount {
  email: string;
  /** ID of the browser, if it has signed in to this account before. */
  device?: string | undefined;
}

export interface SignInLimits {
  /**
   * Runs `attempt` unless too many have failed, which it refuses with `too-many-requests`. Counts it as failed when it refuses
   * the passphrase, and records it for the member's next sign-in: after the reply, so that its time reveals nothing.
   */
  try<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    account: TriedAccount,
    attempt: () => Promise<T>,
  ): Promise<T>;
  /** Runs a sign-in that names no account, and records where it fails. */
  tryUnnamed<T>(request: FastifyRequest, reply: FastifyReply, attempt: () => Promise<T>): Promise<T>;
  /** Resolves when the failures of all replies that were sent are written down. */
  settled(): Promise<void>;
}

/** `count`: undefined where limits are off. */
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

  /** A mail, once a day: whoever guesses cannot fill the member's mailbox. */
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
      // One after the other: what the tight limit refuses uses up nothing of the wide one.
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

/** One account under every spelling of its address. */
export function emailKey(email: string): string {
  return email.normalize('NFC').trim().toLowerCase().slice(0, 320);
}

/** The passphrase was looked at and is another one. */
function isWrongPassphrase(error: unknown): boolean {
  if (!(error instanceof Problem)) return false;
  return (
    error.code === 'bad-credentials' || Boolean(error.errors?.some(({ pointer }) => pointer === '/current'))
  );
}
