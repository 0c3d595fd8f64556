/** The failure of a comparison is told in the certificate. */
import { expect, test } from 'vitest';
import { comparisonLines } from '../summary.ts';
import type { Comparer, ExpectedPage } from './comparer.ts';
import { TolerantComparer } from './tolerant-comparer.ts';

test('pages are still written when their comparison fails, and the report says how far it came', async () => {
  let asked = 0;
  const failing: Comparer = {
    async add() {
      if (asked++ === 1) throw new Error('The comparison failed.', { cause: new Error('out of memory') });
    },
    finish: () => Promise.reject(new Error('not reached')),
    async [Symbol.asyncDispose]() {},
  };
  const comparer = new TolerantComparer(failing);
  const some = [{}, {}, {}] as ExpectedPage[];
  for (let batch = 0; batch < 4; batch++) await comparer.add(some);
  expect(asked).toBe(2);
  const comparison = await comparer.finish();
  expect(comparisonLines(comparison)).toEqual([
    'Compared:   The comparison of pages with their sources stopped after 3 pages: out of memory',
  ]);
});
