import { expect, test } from 'vitest';
import { describe } from './description.ts';

test('a short text is its own description', () => {
  expect(describe(' One.\n\nTwo. ')).toBe('One. Two.');
  expect(describe('')).toBe('');
});

test('whole sentences that fit 160 characters are taken', () => {
  const sentence = 'This sentence has fifty characters, near enough so. ';
  expect(describe(sentence.repeat(5))).toBe(sentence.repeat(3).trim());
});

test('a long first sentence is cut between words', () => {
  const described = describe(`${'word '.repeat(60)}.`);
  expect(described).toMatch(/^(word )+word…$/);
  expect(described.length).toBeLessThanOrEqual(160);
});

test('a word that ends at the cut is kept', () => {
  const [a, b] = ['a'.repeat(79), 'b'.repeat(79)];
  expect(describe(`${a} ${b} and more`)).toBe(`${a} ${b}…`);
});

test('a text without spaces is cut between characters', () => {
  const described = describe('😀'.repeat(200));
  expect(described.isWellFormed()).toBe(true);
  expect(described.length).toBeLessThanOrEqual(160);
});
