/** Numbers stand for the same terms as the search index has. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { termsOf } from '../model/terms.ts';
import { NumberedTerms } from './numbered-terms.ts';

const parts = [
  ...[
    'rose',
    'Rose',
    'rosé',
    'x'.repeat(70),
    `${'x'.repeat(64)}y`,
    '0',
    '(',
    '-',
    "'",
    '_',
    '\u0301',
    '\u200b',
  ],
  ...['ﬁn', 'Ärger', '東京', 'タワー', 'ไทย', 'κόσμος', 'ёж', 'עִבְרִית', '=\u0338', '𝒳', '—', 'é'.repeat(70)],
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...parts), fc.constant(' '), fc.string({ unit: 'binary', maxLength: 3 })))
  .map((some) => some.join(''));

test('are those of termsOf, in order, whatever is read one after the other', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 5 }), (texts) => {
      const numbered = new NumberedTerms();
      const read = texts.map((one) => numbered.read(one));
      expect(read.map((some) => some.map((number) => numbered.terms[number]))).toEqual(texts.map(termsOf));
    }),
    { numRuns: 500 },
  );
});

test('each term has one number, among more terms than there was room for at first', () => {
  const numbered = new NumberedTerms();
  const words = Array.from({ length: 10_000 }, (_, i) => `word${i}`);
  const numbers = numbered.read(words.join(' '));
  expect(numbered.read(words.toReversed().join('.'))).toEqual(numbers.toReversed());
  expect(numbered.terms).toEqual(words);
});
