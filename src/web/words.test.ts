/** How long ago something was is said for as long as it stays true. */
import { expect, test } from 'vitest';
import { sameWordsForMs, timeAgo } from './words.ts';

test('words about a time stay the same for as long as is promised, half a minute aside', () => {
  const at = Date.UTC(2026, 11, 20, 13, 14, 15);
  const promised = new Set<number>();
  for (let age = 0; age < 400 * 24 * 3600; age = Math.ceil(age * 1.07) + 13) {
    const now = at + age * 1000;
    const ms = sameWordsForMs(at, now);
    promised.add(ms);
    if (ms === 30_000) continue;
    for (let part = 0; part <= 10; part++)
      expect(timeAgo(at, now + (ms * part) / 10).text).toBe(timeAgo(at, now).text);
  }
  expect(promised.size).toBe(4);
});
