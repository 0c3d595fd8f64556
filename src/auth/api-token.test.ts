/** Form and checksum of API tokens, as the documentation promises them to secret scanners. */
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { createApiTokenSecrets } from './api-token.ts';

const secrets = createApiTokenSecrets();

test('a secret has the documented form, and no two are alike', () => {
  const made = Array.from({ length: 200 }, () => secrets.make());
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  for (const { secret, hash } of made) {
    const [, random = '', checksum = ''] = /^cop_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(secret) ?? [];
    const value = [...checksum].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
    expect(value).toBe(crc32(random));
    expect(secrets.hash(secret)).toBe(hash);
    expect(hash).not.toContain(random);
  }
  expect(new Set(made.map(({ secret }) => secret)).size).toBe(200);
});

test('a mistyped, truncated or different token has no hash', () => {
  const { secret } = secrets.make();
  const other = secret.endsWith('A') ? 'B' : 'A';
  const changed = (at: number) =>
    secret.slice(0, at) + (secret[at] === 'x' ? 'y' : 'x') + secret.slice(at + 1);
  for (const wrong of [
    secret.slice(0, -1) + other,
    changed(4),
    changed(20),
    secret.slice(0, -1),
    `${secret}0`,
    '',
    'cop_',
  ])
    expect(secrets.hash(wrong), wrong).toBeUndefined();
});
