import { expect, test } from 'vitest';
import { type CarriedQuote, carryingBudget, carryQuotes } from './carry-quotes.ts';
import { quoteAt } from './quotes.ts';

const quoteOf = (text: string, words: string, id: number): CarriedQuote => {
  const start = text.indexOf(words);
  return { ...quoteAt(text, { start, end: start + words.length }), id };
};
const words = (of: string, count: number) => Array.from({ length: count }, (_, n) => `${of}${n}`).join(' ');

test('all parts and changes of a page share one bound of work, and what stands as it was keeps its place', () => {
  const paragraphs = (of: string) =>
    Array.from({ length: 20 }, (_, n) => `Line ${n}\n${words(`${of}${n}x`, 200)}\n`).join('');
  const [before, after] = [paragraphs('a'), `New\n${paragraphs('b')}`];
  const quotes = [quoteOf(before, 'Line 7', 1), quoteOf(before, words('a3x', 5), 2)];
  const first = carryQuotes({ before, after }, quotes, 9, 500_000);
  expect(first.left).toBeLessThan(1000);
  const start = after.indexOf('Line 7');
  expect(first.quotes).toMatchObject([
    { id: 1, state: 'present', start },
    { id: 2, state: 'gone', goneId: 9 },
  ]);
  const second = carryQuotes({ before: after, after: `New\n${after}` }, first.quotes, 10, 0);
  expect(second).toMatchObject({ left: 0, quotes: [{ state: 'present', start: start + 4 }, { goneId: 9 }] });
});

test('a sentence that was rewritten is looked for only while work is left', () => {
  const sentence = `${words('w', 20)}.`;
  const rewritten = sentence.replace('w0', 'v0').replace('w19', 'v19');
  const [before, after] = [`One\n${sentence}\nEnd`, `One\n${words('z', 30)}\n${rewritten}\nEnd`];
  const quotes = [quoteOf(before, sentence, 1)];
  const carried = (left: number) => carryQuotes({ before, after }, quotes, 2, left).quotes;
  expect(carried(carryingBudget)).toMatchObject([{ state: 'changed' }]);
  expect(carried(0)).toMatchObject([{ state: 'gone' }]);
});
