/** Passphrases under hostile load. */
import { expect, test } from 'vitest';
import { createPassphrases } from './passphrase.ts';

test('nobody and a wrong passphrase take the same time, from the first attempt on', async () => {
  const hash = await createPassphrases().hash('a long passphrase');
  const timeOf = async (stored: string | null) => {
    const times: number[] = [];
    for (let i = 0; i < 7; i++) {
      const passphrases = createPassphrases();
      const begun = performance.now();
      expect(await passphrases.verify(stored, 'another passphrase')).toBe(false);
      times.push(performance.now() - begun);
    }
    return times.sort((a, b) => a - b)[3] ?? 0;
  };
  const [wrong, nobody] = [await timeOf(hash), await timeOf(null)];
  // Loosely, as other tests run beside: without the work, nobody would take a hundredth.
  expect(nobody).toBeGreaterThan(wrong / 3);
  expect(nobody).toBeLessThan(wrong * 3);
});

test('a crowd at the first sign-in does not lock everyone out after it', async () => {
  const passphrases = createPassphrases({ maxParallel: 1, maxWaiting: 1 });
  const crowd = [passphrases.hash('a long passphrase'), passphrases.hash('a long passphrase')];
  await expect(passphrases.verify(null, 'x')).rejects.toMatchObject({ code: 'unavailable' });
  await Promise.all(crowd);
  expect(await passphrases.verify(null, 'x')).toBe(false);
});

test('an enormous passphrase that grows when normalised costs no more than a long one', async () => {
  const passphrases = createPassphrases();
  const begun = performance.now();
  expect(await passphrases.verify(null, '\ufdfa'.repeat(5_000_000))).toBe(false);
  expect(performance.now() - begun).toBeLessThan(1_000);
});

test('the event loop goes on while passphrases are verified', async () => {
  const passphrases = createPassphrases();
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  await Promise.all(Array.from({ length: 20 }, () => passphrases.verify(null, 'x')));
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(10);
});
