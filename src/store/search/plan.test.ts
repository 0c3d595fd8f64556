/** Search plans as a table: how a page of results is found, by number of matches and size of the wiki. */
import { expect, test } from 'vitest';
import { planSearch } from './plan.ts';

const stats = (matches: number, pages: number, isInOrder = false) => ({
  total: matches,
  pages,
  parts: [{ matches, isInOrder }],
});

test.each([
  ['many of the pages match', [0, 10], stats(50_000, 100_000), 'scanInOrder'],
  ['few of the pages match', [0, 10], stats(900, 100_000), 'collectThenSort'],
  ['both take as long', [0, 10], stats(1000, 100_000), 'collectThenSort'],
  ['one match more', [0, 10], stats(1001, 100_000), 'scanInOrder'],
  ['a page further on passes more that do not match', [200, 10], stats(4000, 100_000), 'collectThenSort'],
  ['the index has them in order', [0, 10], stats(50_000, 100_000, true), 'collectThenSort'],
  ['every page matches', [0, 10], stats(100_000, 100_000), 'scanInOrder'],
  ['the last page is as near as the first', [49_990, 10], stats(50_000, 100_000), 'scanInOrder'],
] as const)('%s', (_claim, [offset, limit], given, step) => {
  expect(planSearch({ order: 'alphabetical', offset, limit }, given).steps).toEqual([step]);
});

test.each([
  ['alphabetical', 0, { offset: 0, limit: 10, isReversed: false }],
  ['alphabetical', 45, { offset: 45, limit: 10, isReversed: false }],
  ['alphabetical', 46, { offset: 44, limit: 10, isReversed: true }],
  ['last created', 95, { offset: 0, limit: 5, isReversed: true }],
  ['relevance', 95, { offset: 95, limit: 5, isReversed: false }],
] as const)('in order %s, 10 of 100 from %i on', (order, offset, expected) => {
  expect(planSearch({ order, offset, limit: 10 }, stats(100, 1000))).toMatchObject(expected);
});

test.each([100, 101, 5000])('an offset of %i is beyond the end of 100', (offset) => {
  expect(planSearch({ order: 'alphabetical', offset, limit: 10 }, stats(100, 1000)).limit).toBeLessThan(1);
});

test('each part of a union has its own step', () => {
  const parts = [50_000, 30].map((matches) => ({ matches, isInOrder: false }));
  const { steps } = planSearch(
    { order: 'alphabetical', offset: 0, limit: 10 },
    { total: 50_030, pages: 100_000, parts },
  );
  expect(steps).toEqual(['scanInOrder', 'collectThenSort']);
});
