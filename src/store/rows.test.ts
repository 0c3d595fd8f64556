import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexable, textAfter } from './rows.ts';

const inBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const character = fc.oneof(
  fc.constantFrom('a', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);
const text = fc.string({ unit: character, maxLength: 4 });

test('the text after a prefix sorts after everything that begins with it, and before all else after it', () => {
  fc.assert(
    fc.property(text, text, (prefix, other) => {
      const after = textAfter(prefix);
      const isBelow = after === undefined || inBytes(other, after) < 0;
      expect(inBytes(other, prefix) >= 0 && isBelow).toBe(other.startsWith(prefix));
    }),
    { numRuns: 1000 },
  );
  expect(textAfter('a\u{10ffff}')).toBe('b');
  expect(textAfter('\ud7ff')).toBe('\ue000');
  expect(textAfter('\u{10ffff}')).toBeUndefined();
});

test('long texts with a common beginning are distinguished in an index, within a limit', () => {
  const long = (end: string) => indexable('x'.repeat(1000) + end);
  expect(long('a')).not.toBe(long('b'));
  expect(long('a')).toBe(long('a'));
  expect(long('a').length).toBeLessThan(200);
  expect(indexable('short')).toBe('short');
});
