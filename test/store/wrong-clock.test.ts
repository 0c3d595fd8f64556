/** Times that were set while the clock was years ahead, as on a machine without a battery: nothing waits for them. */
import { expect, test } from 'vitest';
import { createCounts } from '#http/limits.ts';
import { forEachEngine } from '../support/postgres.ts';

const day = 24 * 60 * 60 * 1000;
const now = Date.parse('2026-05-01T10:00:00Z');
const ahead = now + 3650 * day;

forEachEngine((open) => {
  test('mail due years ahead is sent, mail of the coming week waits', async () => {
    await using store = await open();
    await store.mails.insert({ kind: 'test', address: 'ahead@example.org' }, ahead);
    await store.mails.insert({ kind: 'test', address: 'soon@example.org' }, now + 7 * day);
    const taken = await store.mails.take(now, now + 1000, 10);
    expect(taken.map(({ mail }) => mail.address)).toEqual(['ahead@example.org']);
    expect(await store.mails.take(now, now + 1000, 10)).toEqual([]);
  });

  test('an export dated years ahead is made again, and then waits for its next time', async () => {
    await using store = await open();
    const begin = (at: number) =>
      store.exportSchedule.begin('jsonl', at, { done: at - day, failed: at - day, dead: at - day });
    for (const how of ['done', 'failed'] as const) {
      expect(await begin(ahead)).toBe(true);
      await store.exportSchedule.end('jsonl', ahead, how, ahead);
      expect(await begin(now)).toBe(true);
      await store.exportSchedule.end('jsonl', now, 'done', now);
      expect(await begin(now + 1)).toBe(false);
    }
  });
});

test('a limit reached while the clock was ahead starts again', () => {
  let time = ahead;
  const count = createCounts(() => time);
  count('guesses', 1000, 5);
  time = now;
  expect(count('guesses', 1000)).toEqual({ current: 1, ttl: 1000 });
  time += 500;
  expect(count('guesses', 1000)).toEqual({ current: 2, ttl: 500 });
});
