import { describe, expect, it } from 'vitest';
import { comparer } from './sorting.ts';

function sorted(
  texts: string[],
  language = 'en',
  type?: string,
  order: 'ascending' | 'descending' = 'ascending',
) {
  const indices = texts.map((_, index) => index).sort(comparer(texts, language, type, order));
  return indices.map((index) => texts[index]).join(' | ');
}

describe('cells are compared', () => {
  it.each([
    [['1,000', '20', '−3', ''], 'en', undefined, '−3 | 20 | 1,000 | '],
    [['1.000,5', '20', '3'], 'de', undefined, '3 | 20 | 1.000,5'],
    [['$12', '€7.5', '£ 100'], 'en', undefined, '€7.5 | $12 | £ 100'],
    [['10 m', '9 m', '1 200 m'], 'en', undefined, '9 m | 10 m | 1 200 m'],
    [
      ['2 March 2020', '10 May 1999', '1 January 2001'],
      'en',
      undefined,
      '10 May 1999 | 1 January 2001 | 2 March 2020',
    ],
    [['2020-03-02', '1999-05-10'], 'en', 'isoDate', '1999-05-10 | 2020-03-02'],
    [['ä', 'z', 'a', 'B'], 'de', undefined, 'a | ä | B | z'],
    [['10', '9', 'n/a'], 'en', 'number', '9 | 10 | n/a'],
    [['10', '9'], 'en', 'text', '9 | 10'],
    [['Page 10', 'Page 9'], 'en', undefined, 'Page 9 | Page 10'],
  ])('%j in %s as %s', (texts, language, type, order) => expect(sorted(texts, language, type)).toBe(order));

  it('empty values come last in both orders, and equal ones keep their order', () => {
    expect(sorted(['', '2', '1', '2'], 'en', undefined, 'descending')).toBe('2 | 2 | 1 | ');
    expect(comparer(['a', 'a'], 'en', undefined, 'descending')(0, 1)).toBeLessThan(0);
  });
});
