import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type MergedRegion, merge3 } from './diff3.ts';

const items = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 });
const merge = (a: string[], o: string[], b: string[]) => merge3(a, o, b, { pairs: 1000 }) ?? [];
const settled = (some: string[]): MergedRegion[] => (some.length === 0 ? [] : [{ ok: some }]);

test('changes of one side, and the same changes of both, are settled', () =>
  fc.assert(
    fc.property(items, items, (changed, base) => {
      for (const [a, b] of [
        [changed, base],
        [base, changed],
        [changed, changed],
      ] as const)
        expect(merge(a, base, b)).toEqual(settled(changed));
    }),
  ));

test('each side is what it was, with its own part of each conflict, and the sides can change places', () =>
  fc.assert(
    fc.property(items, items, items, (a, o, b) => {
      const regions = merge(a, o, b);
      const turned = regions.map(({ conflict, ok }) =>
        conflict ? { conflict: { a: conflict.b, o: conflict.o, b: conflict.a } } : { ok },
      );
      expect(merge(b, o, a)).toEqual(turned);
      // Conflicts that are settled for one side leave what the other changed elsewhere.
      const chosen = regions.flatMap(({ ok, conflict }) => ok ?? conflict?.o ?? []);
      expect(merge(chosen, o, o)).toEqual(settled(chosen));
    }),
  ));

test('the longest common parts stay', () => {
  expect(merge([...'xabcy'], [...'abc'], [...'abzc'])).toEqual([{ ok: [...'xabzcy'] }]);
  expect(merge([...'aab'], [...'ab'], [...'abb'])).toEqual([{ ok: [...'aabb'] }]);
});

test('nothing is merged beyond the budget', () => {
  const same = Array.from({ length: 100 }, () => 'a');
  const budget = { pairs: 25_000 };
  expect(merge3(['x', ...same], same, [...same, 'y'], budget)).toEqual([{ ok: ['x', ...same, 'y'] }]);
  expect(budget).toEqual({ pairs: 5000 });
  expect(merge3(['x', ...same], same, [...same, 'y'], budget)).toBeUndefined();
});
