import { expect, test } from 'vitest';
import { BoundedCache } from './bounded-cache.ts';

function cacheOf(maxTotal: number) {
  const pushedOut: string[] = [];
  return { cache: new BoundedCache<number>(maxTotal, (_value, key) => pushedOut.push(key)), pushedOut };
}

test('what nobody has asked for since it came leaves first, the oldest before the others', () => {
  const { cache, pushedOut } = cacheOf(80);
  for (let n = 0; n < 8; n++) cache.set(`${n}`, n, 10);
  cache.get('0');
  cache.get('2');
  cache.set('8', 8, 10);
  cache.set('9', 9, 10);
  expect(pushedOut).toEqual(['1', '3']);
  expect(cache.get('0')).toBe(0);
  expect(cache.get('1')).toBeUndefined();
});

test('where all have been asked for, the oldest still leaves', () => {
  const { cache, pushedOut } = cacheOf(80);
  for (let n = 0; n < 8; n++) cache.set(`${n}`, n, 10);
  for (let n = 0; n < 8; n++) cache.get(`${n}`);
  cache.set('8', 8, 10);
  expect(pushedOut).toHaveLength(1);
  expect(cache.get('8')).toBe(8);
});

test('what is too large to be kept pushes nothing else out, and what is replaced or deleted leaves its room', () => {
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
