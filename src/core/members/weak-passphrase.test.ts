/** Passphrases that are guessed first. */
import { expect, test } from 'vitest';
import { createPassphrases } from '#auth/passphrase.ts';
import { textOf } from '#words/say.ts';
import { weaknessOf } from './weak-passphrase.ts';

const { isCommon } = createPassphrases();
const weaknessIn = (text: string) => {
  const weakness = weaknessOf(text, ['Ada Lovelace', 'ada@example.org', 'Testwood'], isCommon);
  return weakness && textOf(weakness, 'en');
};

test('common ones are refused, whatever their case', () => {
  for (const text of ['1qaz2wsx3edc', 'Password1234', 'ELIZAVETA2000', 'ｐａｓｓｗｏｒｄ１２３４'])
    expect(weaknessIn(text), text).toContain('most common');
});

test('repetitions and sequences are refused', () => {
  for (const text of [
    'zzzzzzzzzzzzzzz',
    'hahahahahahah',
    'mnopqrstuvwx',
    '98765432109876',
    'poiuztrewqlkj',
    'aaaabbbbccccdddd',
  ])
    expect(weaknessIn(text), text).toMatch(/repeats itself|most common/);
});

test('a name, an address and the wiki’s name are refused, with digits and marks around them', () => {
  for (const text of [
    'Ada Lovelace!',
    'adalovelace1815',
    'ada@example.org',
    'testwood testwood',
    'Lovelace-2026',
  ])
    expect(weaknessIn(text), text).toMatch(/your name, your address or the name of the wiki|repeats itself/);
});

test('one’s own words and random ones are accepted', () => {
  for (const text of [
    'correct horse battery staple',
    'four sleepy cats',
    '839201746352',
    'Kt7#qLw9!zRx',
    'ада любит лес',
    '竹林の中で本を読みました',
  ])
    expect(weaknessIn(text), text).toBeUndefined();
});

test('an enormous passphrase takes time in proportion to its length', () => {
  expect(weaknessIn('ab1'.repeat(300_000))).toContain('repeats itself');
});
