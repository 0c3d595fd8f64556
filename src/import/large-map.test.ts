import { expect, test } from 'vitest';
import { LargeMaps } from './large-map.ts';

test('values are found by key and iterated in order, also if they are set again meanwhile', () => {
  using maps = new LargeMaps();
  const map = maps.make<{ number: number }>();
  const other = maps.make<string>();
  for (let number = 0; number < 1200; number++) map.set(`\0${number}`, { number });
  for (const [key, { number }] of map.entries()) map.set(key, { number: number * 2 });
  other.set('\x001', 'other');
  expect([...map.values()].map(({ number }) => number)).toEqual(
    Array.from({ length: 1200 }, (_, at) => at * 2),
  );
  expect(map.get('\x001')).toEqual({ number: 2 });
  expect([map.size, other.size, map.has('1'), map.get('1')]).toEqual([1200, 1, false, undefined]);
});
