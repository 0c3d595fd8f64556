/** Relative times are cached only as long as they are true. */
import { expect, test } from 'vitest';
import { momentWords } from '#core/model/date-words.ts';
import { dayOf, exactTime, momentOf, sameWordsForMs, timeAgo } from './format.ts';
import { siteLocale, timeWords } from './time-words.ts';

test('words about a time stay valid as long as promised, give or take half a minute', () => {
  const at = Date.UTC(2026, 11, 20, 13, 14, 15);
  const promised = new Set<number>();
  for (let age = 0; age < 400 * 24 * 3600; age = Math.ceil(age * 1.07) + 13) {
    const now = at + age * 1000;
    const ms = sameWordsForMs(at, now);
    promised.add(ms);
    if (ms === 30_000) continue;
    for (let part = 0; part <= 10; part++)
      expect(timeAgo(at, now + (ms * part) / 10).in('en')).toBe(timeAgo(at, now).in('en'));
  }
  expect(promised.size).toBe(4);
});

test('server and scripts format a time in the same way', () => {
  const now = Date.UTC(2026, 10, 24, 12);
  const hour = 3_600_000;
  const said = timeWords(siteLocale, 'UTC');
  const ages = [0, 50_000, hour, 30 * hour, 13 * 24 * hour, 27 * 24 * hour, 400 * 24 * hour, -hour];
  expect(ages.map((age) => said.ago(now - age, now))).toEqual([
    'just now',
    '1 minute ago',
    '1 hour ago',
    'yesterday',
    '13 days ago',
    '28 October',
    '20 October 2025',
    'just now',
  ]);
  expect(timeAgo(now - hour, now).in('en')).toBe(
    '<time datetime="2026-11-24T11:00:00.000Z" title="24 November 2026 at 11:00 UTC">1 hour ago</time>',
  );
  expect(dayOf(now - 27 * 24 * hour, now).in('en')).toMatch(/^<time datetime="2026-10-28T[^>]*>28 October</);
  expect(momentOf(now).in('en')).toMatch(/>24 November 2026 at 12:00 UTC</);
  // Letters and exports have no script, and use the same form.
  expect(momentWords(now).textIn('en')).toBe(exactTime(now).textIn('en'));
  // New Year depends on the reader's time zone.
  const newYear = Date.UTC(2026, 11, 31, 23, 30);
  expect(timeWords(siteLocale, 'Europe/Berlin').day(newYear, newYear - 24 * hour)).toBe('1 January 2027');
  expect(timeWords('de-DE', 'UTC').ago(now - 3 * hour, now)).toBe('vor 3 Stunden');
  expect(timeWords('ja-JP', 'UTC').ago(now, now)).toBe('1 分以内');
  const inHebrew = [1 / 60, 1, 2, 3].map((hours) => timeWords('he', 'UTC').ago(now - hours * hour, now));
  expect(inHebrew).toEqual(['לפני דקה', 'לפני שעה', 'לפני שעתיים', 'לפני 3 שעות']);
});
