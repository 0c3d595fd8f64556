import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinedTermsOf, maxIndexedTerms, readTextQuery, termsOf } from './terms.ts';

test('words are folded', () => {
  expect(termsOf("The Mill's CAFÉ, 2nd floor")).toEqual(['the', 'mill', 's', 'cafe', '2nd', 'floor']);
});

test('joined terms are the terms separated by spaces', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('a'.repeat(65), ' \n', '-'),
  );
  fc.assert(
    fc.property(fc.array(text), (parts) => {
      const whole = parts.join('');
      expect(joinedTermsOf(whole)).toBe(termsOf(whole).join(' '));
    }),
  );
});

test('each emoji is a word of its own, whatever joins or colours it', () => {
  expect(termsOf('We🌹🌹 👩\u200d👧 👍🏽 ❤\ufe0f 🇩🇪🇫🇷 © ®')).toEqual([
    ...['we', '🌹', '🌹', '👩', '👧', '👍', '❤', '🇩🇪', '🇫🇷'],
  ]);
  expect(readTextQuery('-🌹 🎉')).toEqual({
    phrases: [{ terms: ['🎉'], prefix: false }],
    excluded: [{ terms: ['🌹'], prefix: false }],
  });
});

test('scripts without spaces give overlapping pairs', () => {
  expect(termsOf('東京都庁')).toEqual(['東京', '京都', '都庁', '庁']);
  expect(termsOf('Tokyo東京Tower')).toEqual(['tokyo', '東京', '京', 'tower']);
});

test('a query finds any part of an unspaced run as adjacent pairs, a single character as a prefix', () => {
  expect(readTextQuery('京都庁')?.phrases).toEqual([{ terms: ['京都', '都庁'], prefix: false }]);
  expect(readTextQuery('都')?.phrases).toEqual([{ terms: ['都'], prefix: true }]);
});

test('words match as prefixes, quoted phrases exactly', () => {
  expect(readTextQuery('old "water mill" of')?.phrases).toEqual([
    { terms: ['old'], prefix: true },
    { terms: ['water', 'mill'], prefix: false, isQuoted: true },
    { terms: ['of'], prefix: false },
  ]);
});

test('a minus before a word or phrase excludes it; a hyphenated word is excluded whole', () => {
  expect(readTextQuery('old -"water mill" -e-mail -東京都 well-known --force - of')).toEqual({
    phrases: ['old', 'well', 'known', 'force', 'of'].map((word) => ({
      terms: [word],
      prefix: word.length >= 3,
    })),
    excluded: [
      { terms: ['water', 'mill'], prefix: false },
      { terms: ['e', 'mail'], prefix: true },
      { terms: ['東京', '京都'], prefix: false },
    ],
  });
});

test('a phrase may be in the double quotes of any language', () => {
  for (const quoted of ['“%”', '„%“', '”%”', '«%»', '« % »', '»%«', '「%」', '『%』', '＂%＂'])
    expect(readTextQuery(`old -${quoted.replace('%', 'water mill')}`)).toEqual(
      readTextQuery('old -"water mill"'),
    );
  for (const query of ['צה"ל', 'צה״ל', 'צה”ל'])
    expect(readTextQuery(query)?.phrases.map(({ terms }) => terms)).toEqual([['צה'], ['ל']]);
});

test('a query needs something searchable, and excluded words alone are not enough', () => {
  for (const query of ['', '  ', '!?', '""', '"', '*', '-', '-trees', '-"water mill" -a'])
    expect(readTextQuery(query)).toBeUndefined();
});

test('terms and queries are bounded', () => {
  expect(termsOf('a '.repeat(maxIndexedTerms + 10))).toHaveLength(maxIndexedTerms);
  expect(termsOf('x'.repeat(1000))[0]).toHaveLength(64);
  expect(readTextQuery('word '.repeat(1000))?.phrases).toHaveLength(32);
  expect(readTextQuery(`word ${'-other '.repeat(1000)}`)?.excluded).toHaveLength(31);
});
