/** The generous limit on failed sign-ins. */
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { Problem } from '#core/model/problem.ts';
import { openStore } from '#run/open-store.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { createCounts, type Limits } from './limits.ts';
import { createSignInLimits, failureRates } from './sign-in-limits.ts';

const unlimited: Limits = {
  countSignIn: async () => {},
  countInvitation: async () => {},
  countDataExport: async () => {},
  countSignUp: async () => {},
  countGuess: async () => {},
};

test('guesses from many addresses share the wide limit of an account; a known browser has its own, and refused addresses use up nothing', async () => {
  await using store = await openStore({ kind: 'sqlite', file: join(await temporaryFolder(), 'wiki.db') });
  let now = 1_000_000;
  const clock = () => now;
  const limits = createSignInLimits({ store, clock }, unlimited, createCounts(clock));
  const replies: Promise<void>[] = [];
  const attempt = (ip: string, isRight: boolean, device?: string) => {
    const [request, raw] = [{ ip, url: '/login' } as FastifyRequest, new PassThrough().resume().end()];
    replies.push(finished(raw));
    return limits
      .try(request, { raw } as unknown as FastifyReply, { email: 'ada@example.org', device }, async () => {
        if (!isRight) throw new Problem('bad-credentials', 'No.');
        return 'in';
      })
      .catch((error: Problem) => error.code);
  };
  const { perAccount, perAccountAndAddress } = failureRates;
  for (let i = 0; i < perAccount.max + 10; i++) await attempt('203.0.113.1', false);
  expect(await attempt('203.0.113.1', true)).toBe('too-many-requests');
  expect(await attempt('203.0.113.2', true)).toBe('in');
  for (let i = perAccountAndAddress.max; i < perAccount.max; i++)
    expect(await attempt(`198.51.${i}.1`, false)).toBe('bad-credentials');
  expect(await attempt('203.0.113.2', true)).toBe('too-many-requests');
  expect(await attempt('203.0.113.2', true, 'a known browser')).toBe('in');
  now += perAccount.windowMs;
  expect(await attempt('203.0.113.1', true)).toBe('in');
  await Promise.all(replies);
  await limits.settled();
});
