/** The wide limit on failures, and whom an address counts for. */
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { Problem } from '#domain/problem.ts';
import { openStore } from '#store/store.ts';
import { temporaryFolder } from '#test/temporary.ts';
import { addressGroup } from './address-group.ts';
import { createCounts, type Limits } from './limits.ts';
import { createSignInLimits, failureRates } from './sign-in-limits.ts';

const unlimited: Limits = {
  countSignIn: async () => {},
  countInvitation: async () => {},
};

test('guesses from many addresses meet the wide limit of an account; a known browser does not, and an address that is refused uses up nothing of it', async () => {
  await using store = await openStore({ kind: 'sqlite', file: join(await temporaryFolder(), 'wiki.db') });
  let now = 1_000_000;
  const clock = () => now;
  const limits = createSignInLimits({ store, clock }, unlimited, createCounts(clock));
  const attempt = (ip: string, isRight: boolean, device?: string) => {
    const [request, raw] = [{ ip } as FastifyRequest, new PassThrough().resume().end()];
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
  await limits.settled();
});

test('an IPv6 address counts by its /64, an IPv4 one by itself', () => {
  for (const [address, group] of [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:DB8:0:0:ffff::9', '2001:db8:0:0::/64'],
    ['2001:0db8:0000:0000:1:2:3:4', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ] as const)
    expect(addressGroup(address), address).toBe(group);
});
