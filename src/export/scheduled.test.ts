/** Choice of the scheduled exports and backups that are kept. */
import { expect, test } from 'vitest';
import { superfluous } from './scheduled.ts';

test('the latest ones are kept, and those that a clock dated ahead of the last one go first', () => {
  const [a, b, c, ahead] = ['2026-05-01', '2026-05-02', '2026-05-03', '2027-01-01'] as const;
  expect(superfluous([c, a, b], c, 2)).toEqual([a]);
  expect(superfluous([c, a], c, 2)).toEqual([]);
  expect(superfluous([a, ahead, b], b, 2)).toEqual([ahead]);
  expect(superfluous([ahead, b], b, 1)).toEqual([ahead]);
});
