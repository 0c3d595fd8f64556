/** One-time passwords, compared with the test vectors of the standard. */
import { expect, test } from 'vitest';
import { createOneTimePasswords } from './one-time-passwords.ts';

const passwords = createOneTimePasswords(
  () => 'Alder Valley',
  () => ({ current: 1, ttl: 1 }),
);
/** RFC 6238, appendix B: the ASCII text 12345678901234567890; the last six of its eight digits. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const vectors: [seconds: number, code: string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];

test.each(vectors)('at %s seconds the code of RFC 6238 is accepted, and names its step', (seconds, code) => {
  const step = Math.floor(seconds / 30);
  expect(passwords.stepOf(secret, code, seconds * 1000)).toBe(step);
  expect(passwords.stepOf(secret, code, (seconds + 30) * 1000)).toBe(step);
  expect(passwords.stepOf(secret, code, (seconds - 30) * 1000)).toBe(step);
  expect(passwords.stepOf(secret, code, (seconds + 60) * 1000)).toBeUndefined();
});

test('malformed codes are refused', () => {
  for (const code of ['', '28708', '2870820', '28708a', '２８７０８２', '-28708'])
    expect(passwords.stepOf(secret, code, 59_000), code).toBeUndefined();
});

test('keys are 160 bits, named for apps, and recovery codes do not repeat', () => {
  const made = passwords.makeSecret();
  expect(made).toMatch(/^[A-Z2-7]{32}$/);
  expect(passwords.makeSecret()).not.toBe(made);
  const url = new URL(passwords.urlOf(made, 'ada@example.org'));
  expect(decodeURIComponent(url.pathname)).toBe('/Alder Valley:ada@example.org');
  expect(url.searchParams.get('secret')).toBe(made);
  const codes = new Set(Array.from({ length: 200 }, () => passwords.makeRecoveryCode()));
  expect(codes.size).toBe(200);
  for (const code of codes) expect(code).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/);
});
