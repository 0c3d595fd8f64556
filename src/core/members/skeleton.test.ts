/** Names that look alike. */
import { expect, test } from 'vitest';
import { emailSkeleton, nameSkeletons, skeletonOf } from './skeleton.ts';

const looksLike = (a: string, b: string) => {
  const [first, second] = [nameSkeletons(a), nameSkeletons(b)];
  return first.written === second.written || first.folded === second.folded;
};

test('names that look alike have a common skeleton', () => {
  for (const [a, b] of [
    ['Paul', 'Рaul'],
    ['Paul', 'PauI'],
    ['Paul', 'paul'],
    ['Paul', 'ｐａｕｌ'],
    ['Paul', 'Pa\u200dul'],
    ['Paul', 'Pa\u034ful'],
    ['Paul', 'Paul\ufe0f'],
    ['José', 'Jose\u0301'],
    ['Strauß', 'STRAUSS'],
    ['Bob 10', 'Bob 1O'],
    ['Σοφία', 'σοφία'],
    ['admin', 'аdmіn'],
  ] as const)
    expect(looksLike(a, b), `${a} ${b}`).toBe(true);
});

test('names that can be distinguished have different skeletons', () => {
  for (const [a, b] of [
    ['Paul', 'Paula'],
    ['José', 'Jose'],
    ['Ian', 'Lan'],
    ['Анна', 'Anna'],
    ['李', '季'],
    ['Ada Lovelace', 'Adalovelace'],
  ] as const)
    expect(looksLike(a, b), `${a} ${b}`).toBe(false);
});

test('addresses are compared without regard to case', () => {
  expect(emailSkeleton('Ada@Example.org')).toBe(emailSkeleton('аda@example.org'));
  expect(emailSkeleton('ada@example.org')).not.toBe(emailSkeleton('ada@example.com'));
});

test('a skeleton is its own skeleton, however long the text is', () => {
  const text = 'Ｐаul Iıl 𝔄 ﷺ मौ'.repeat(1000);
  expect(skeletonOf(skeletonOf(text))).toBe(skeletonOf(text));
});
