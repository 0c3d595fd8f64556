/** Tokens at their edges. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { tokenLifetimeMs } from '#core/ports/credentials.ts';
import { createTokens } from './token.ts';

const key = new Uint8Array(32).fill(1);
const cookieLifetimeMs = 30 * 24 * 60 * 60 * 1000;

test('a token lives for fifteen minutes to the millisecond, wherever in a second it was issued', async () => {
  for (const issuedAt of [1_700_000_000_000, 1_700_000_000_001, 1_700_000_000_500, 1_700_000_000_999]) {
    let now = issuedAt;
    const tokens = createTokens([key], () => now, cookieLifetimeMs);
    const token = await tokens.issue({ memberId: 1, epoch: 0, sessionId: 's', issuedAt });
    now = issuedAt + tokenLifetimeMs - 1;
    expect(await tokens.read(token)).toEqual({ memberId: 1, epoch: 0, sessionId: 's', issuedAt });
    now = issuedAt + tokenLifetimeMs;
    expect(await tokens.read(token)).toBeUndefined();
  }
});

test('no header and no garbage throws', async () => {
  const tokens = createTokens([key], () => 0, cookieLifetimeMs);
  const [, ...rest] = (await tokens.issue({ memberId: 1, epoch: 0, sessionId: 's', issuedAt: 0 })).split('.');
  const headers = [
    '{}',
    'null',
    '[]',
    '1',
    '{"alg":"none"}',
    '{"alg":"dir","enc":"A256GCM","kid":{}}',
    '\xff',
  ];
  headers.push('{"alg":"dir","enc":"A256GCM","zip":"DEF"}', '{"alg":"dir","enc":"A256GCM","crit":["b64"]}');
  for (const header of headers) {
    for (const tail of [rest.join('.'), '...', '💥.💥.💥.💥', `.${'A'.repeat(16)}.A.${'A'.repeat(22)}`]) {
      const forged = `${Buffer.from(header, 'latin1').toString('base64url')}.${tail}`;
      expect(await tokens.read(forged)).toBeUndefined();
    }
  }
  for (let i = 0; i < 500; i++) {
    expect(await tokens.read(randomBytes(i % 200).toString(i % 2 ? 'latin1' : 'utf8'))).toBeUndefined();
  }
});

test('without a key there are no tokens', () => {
  expect(() => createTokens([], () => 0, cookieLifetimeMs)).toThrow('at least one key');
});
