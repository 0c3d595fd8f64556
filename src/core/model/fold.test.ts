import { expect, test } from 'vitest';
import { fold, sortKey, titleKey } from './fold.ts';

test('alphabetical order is Unicode-aware and case-insensitive', () => {
  const titles = ['Zoo', 'banana', 'Éclair', 'Apple', 'éclair 2', 'Ångström', 'Øre', 'straße', 'Strasse 2'];
  const sorted = titles.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  expect(sorted).toEqual([
    'Ångström',
    'Apple',
    'banana',
    'Éclair',
    'éclair 2',
    'Øre',
    'straße',
    'Strasse 2',
    'Zoo',
  ]);
});

test('diacritics of Latin letters fold, those of other scripts stay', () => {
  expect(fold('Crème Brûlée')).toBe('creme brulee');
  expect(fold('Łódź')).toBe('lodz');
  expect(fold('Йод')).toBe('йод');
  expect(fold('हिन्दी')).toBe('हिन्दी');
  expect(fold('ガラス')).toBe('ガラス');
});

test('title keys differ only in case and white space', () => {
  expect(titleKey('  The   Old\tMill ')).toBe('the old mill');
  expect(titleKey('Cafe\u0301')).toBe(titleKey('CAFÉ'));
  expect(titleKey('cafe')).not.toBe(titleKey('café'));
});
