import { expect, test } from 'vitest';
import { BoundedCache } from './bounded-cache.ts';

function cacheOf(maxTotal: number) {
  const pushedOut: string[] = [];
  return { cache: new BoundedCache<number>(maxTotal, (_value, key) => pushedOut.push(key)), pushedOut };
}

test('entries unused since their last check are evicted first, the oldest before the others', () => {
  const { cache, pushedOut } = cacheOf(80);
  for (let n = 0; n < 9; n++) cache.set(`${n}`, n, 10);
  expect(pushedOut).toEqual(['0']);
  cache.get('1');
  cache.get('3');
  cache.set('9', 9, 10);
  cache.set('10', 10, 10);
  expect(pushedOut).toEqual(['0', '2', '4']);
  expect(cache.get('1')).toBe(1);
  expect(cache.get('2')).toBeUndefined();
});

test('new entries stay, though all old ones have been used once', () => {
  const { cache, pushedOut } = cacheOf(80);
  for (let n = 0; n < 8; n++) cache.set(`${n}`, n, 10);
  for (let n = 0; n < 8; n++) cache.get(`${n}`);
  for (let n = 8; n < 16; n++) cache.set(`${n}`, n, 10);
  expect(pushedOut).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
});

test('if all entries have been used, the oldest is evicted', () => {
  const { cache, pushedOut } = cacheOf(80);
  for (let n = 0; n < 8; n++) cache.set(`${n}`, n, 10);
  for (let n = 0; n < 8; n++) cache.get(`${n}`);
  cache.set('8', 8, 10);
  expect(pushedOut).toHaveLength(1);
  expect(cache.get('8')).toBe(8);
});

test('an entry that is too large evicts nothing, and replaced or deleted entries free their space', () => {
  const { cache, pushedOut } = cacheOf(80);
  cache.set('large', 0, 11);
  expect(cache.get('large')).toBeUndefined();
  expect(pushedOut).toEqual(['large']);
  for (let n = 0; n < 8; n++) cache.set('same', n, 10);
  for (let n = 0; n < 7; n++) cache.set(`${n}`, n, 10);
  cache.delete('same');
  cache.set('other', 9, 10);
  expect(pushedOut).toEqual(['large']);
});

test('the oldest entries are found as if all were scanned from the beginning each time', () => {
  const { cache, pushedOut } = cacheOf(200);
  /** Reference model of the cache: keys in order, oldest first. */
  let kept: { key: string; isUsed: boolean }[] = [];
  const left: string[] = [];
  let state = 7;
  const below = (n: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % n;
  };
  for (let step = 0; step < 20_000; step++) {
    const key = `${below(60)}`;
    const known = kept.find((entry) => entry.key === key);
    const what = below(10);
    if (what < 5) {
      expect(cache.get(key) !== undefined).toBe(known !== undefined);
      if (known) known.isUsed = true;
      continue;
    }
    kept = kept.filter((entry) => entry !== known);
    if (what === 5) {
      cache.delete(key);
      continue;
    }
    cache.set(key, step, 10);
    while (kept.length >= 20) {
      const [oldest, ...others] = kept as [{ key: string; isUsed: boolean }];
      kept = oldest.isUsed ? [...others, { ...oldest, isUsed: false }] : others;
      if (!oldest.isUsed) left.push(oldest.key);
    }
    kept.push({ key, isUsed: true });
  }
  expect(left.length).toBeGreaterThan(1000);
  expect(pushedOut).toEqual(left);
});
