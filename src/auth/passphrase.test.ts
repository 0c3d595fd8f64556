/** Passphrases under load by an attacker. */
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { Thread } from '#scheduling/thread.ts';
import { createPassphrases } from './passphrase.ts';
import type { Task } from './passphrase-thread.ts';

/** Records all tasks of the threads, which still run. */
const run = vi.spyOn(Thread.prototype, 'run');
afterEach(() => run.mockClear());
afterAll(() => run.mockRestore());

const tasks = () => run.mock.calls.map(([task]) => task as Task);
/** Algorithm, parameters, and lengths of salt and digest, on which the cost depends. */
const workOf = (hash: string) =>
  hash
    .split('$')
    .map((part, i) => (i > 3 ? part.length : part))
    .join('$');

test('an unknown member and a wrong passphrase cost the same work, from the first attempt on', async () => {
  const stored = await createPassphrases().hash('a long passphrase');
  run.mockClear();
  for (const hash of [stored, null])
    expect(await createPassphrases().verify(hash, 'another passphrase')).toBe(false);
  const [wrong, nobody, ...more] = tasks() as { passphrase: string; hash: string }[];
  expect(more).toEqual([]);
  expect(wrong).toEqual({ passphrase: 'another passphrase', hash: stored });
  expect(nobody?.passphrase).toBe('another passphrase');
  expect(workOf(nobody?.hash ?? '')).toBe(workOf(stored));
  // Both hashes are valid; an invalid one would be answered without the work.
  await expect(Promise.all(run.mock.results.map(({ value }) => value))).resolves.toEqual([false, false]);
});

test('many concurrent first sign-ins lock nobody out afterwards', async () => {
  const passphrases = createPassphrases({ maxParallel: 1, maxWaiting: 1 });
  const crowd = [passphrases.hash('a long passphrase'), passphrases.hash('a long passphrase')];
  await expect(passphrases.verify(null, 'x')).rejects.toMatchObject({ code: 'unavailable' });
  await Promise.all(crowd);
  expect(await passphrases.verify(null, 'x')).toBe(false);
});

test('an enormous passphrase is read only up to the longest length, and never hashed', async () => {
  const passphrases = createPassphrases();
  // One character becomes 18; two become one, so that reading more text would give more of them.
  for (const text of ['\ufdfa', 'e\u0301'])
    expect(await passphrases.verify(null, text.repeat(5_000_000))).toBe(false);
  expect(tasks().map(({ passphrase }) => passphrase.length)).toEqual([1024, 512]);
});

test('the event loop keeps running while passphrases are verified', async () => {
  const passphrases = createPassphrases();
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  await Promise.all(Array.from({ length: 20 }, () => passphrases.verify(null, 'x')));
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(10);
});
