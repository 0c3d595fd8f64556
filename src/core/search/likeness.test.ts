import { expect, test } from 'vitest';
import { likeness } from './likeness.ts';

test.each([
  ['garden', 'garden', 1],
  ['graden', 'garden', 1 - 1 / 6],
  ['grden', 'garden', 1 - 1 / 6],
  ['rose', 'roses', 0.9],
  ['', 'rose', 0],
  ['cat', 'dog', 0],
  ['', '', 1],
])('%s is like %s to %d', (a, b, expected) => {
  expect(likeness(a, b)).toBeCloseTo(expected, 5);
  expect(likeness(b, a)).toBe(likeness(a, b));
});

test('reordered words, plurals and parts of a name count as rather alike', () => {
  for (const [a, b] of [
    ['oak-old', 'old-oak'],
    ['berry', 'berries'],
    ['old-oak', 'the-old-oak-by-the-mill'],
    ['東京', '東京都'],
  ] as const) {
    expect(likeness(a, b), `${a}, ${b}`).toBeGreaterThanOrEqual(0.5);
  }
  expect(likeness('compost', 'pruning')).toBeLessThan(0.3);
});
