/** Escaped brackets stay brackets where only dollars make formulas. */
import { expect, test } from 'vitest';
import { withoutBracketFormulas } from './brackets.ts';

test.each([
  [
    'tools \\(such as python, c++ compilers, etc.\\) are',
    'tools (such as python, c++ compilers, etc.\\) are',
  ],
  ['1.x \\(`npm i -g yarn`\\)', '1.x (`npm i -g yarn`\\)'],
  ['the \\[\\[double bracket/syntax\\]\\].', 'the &#91;&#91;double bracket/syntax\\]\\].'],
  ['- a\n\n  > b \\(x/y\\) c \\(z+1\\)', '- a\n\n  > b (x/y\\) c (z+1\\)'],
])('%j keeps its brackets', (text, expected) => {
  expect(withoutBracketFormulas(text, 'obsidian')).toBe(expected);
});

test.each([
  ['$x^2$ and `\\(code/x\\)` and\n\n    \\(x/y\\)\n', 'obsidian'],
  ['\\(only words here\\) [x]\\(not a link\\)', 'wikijs'],
  ['\\(x/y\\)', 'markdown'],
] as const)('%j stays as it is in %s', (text, kind) => {
  expect(withoutBracketFormulas(text, kind)).toBe(text);
});
