/** Markup of Org mode, before and after. */
import { expect, test } from 'vitest';
import { expectLinear } from '#test/support/cpu.ts';
import { orgToMarkdown } from './org.ts';

test.each([
  ['#+title: The Oak\n#+filetags: :a:b:\n\n* x', 'title:: The Oak\ntags:: a, b\n\n\n- x'],
  [':PROPERTIES:\n:title: Oak\n:END:\n* a\n** b :wood:', 'title:: Oak\n\n- a\n  - b #wood'],
  ['* a\n:PROPERTIES:\n:ID: 7\n:END:\nmore\n- item', '- a\n  id:: 7\n  more\n  - item'],
  ['*b* /i/ _u_ +d+ =c= ~v~ a/b/c 2*3*4', '**b** *i* <u>u</u> ~~d~~ `c` `v` a/b/c 2*3*4'],
  ['*/both/* (=x_y=), snake_case_name', '***both*** (`x_y`), snake_case_name'],
  ['[[Elm]] [[Elm][the /elm/]] [[https://a.org/b/c]]', '[[Elm]] [[Elm|the *elm*]] <https://a.org/b/c>'],
  ['[[https://a.org][*A*]] [[file:elm.org][e]]', '[**A**](<https://a.org>) [e](<elm.org>)'],
  ['[[../assets/a b.png]] [[file:../a.pdf]]', '![](<../assets/a b.png>) [a.pdf](<../a.pdf>)'],
  ['a[fn:1] b[fn:: in /line/]\n\n[fn:1] Note', 'a[^1] b^[in *line*]\n\n\n[^1]: Note'],
  ['| a | *b* |\n|---+---|\n| 1 | 2 |\nx', '\n| a | **b** |\n|---|---|\n| 1 | 2 |\n\nx'],
  ['| 1 | 2 |\n|---+---|\n| 3 | 4 |\n|---+---|', '\n| 1 | 2 |\n|---|---|\n| 3 | 4 |\n'],
  ['| 1 | 2 |', '\n|   |   |\n|---|---|\n| 1 | 2 |\n'],
  ['#+BEGIN_SRC js\n,* x =y=\n#+END_SRC', '#+BEGIN_SRC js\n* x =y=\n#+END_SRC'],
  ['#+begin_quote\n/so/\n#+end_quote', '#+BEGIN_quote\n*so*\n#+END_quote'],
  [': fixed *x*\n: more\nx', '```\nfixed *x*\nmore\n```\nx'],
  ['- term :: meaning\n- [-] half', '- **term**: meaning\n- [ ] half'],
  ['a\n-----\nb <b>', 'a\n\n---\n\nb &lt;b>'],
  ['$a*b*c$ \\(x_1\\) {{query (and [[A]])}}', '$a*b*c$ \\(x_1\\) {{query (and [[A]])}}'],
])('%j', (org, markdown) => {
  expect(orgToMarkdown(org).text).toBe(markdown);
});

test('comments, unknown keywords and clocks are left out and named', () => {
  const { text, approximated } = orgToMarkdown(
    '# note\n#+OPTIONS: toc:nil\n* a\n:LOGBOOK:\nCLOCK: [x]\n:END:\n:LOGBOOK:\nb',
  );
  expect(text).toBe('- a\n  :LOGBOOK:\n  b');
  expect(approximated.map(({ before }) => before)).toEqual([
    '# note',
    '#+OPTIONS: toc:nil',
    ':LOGBOOK:\nCLOCK: [x]\n:END:',
  ]);
});

test('work grows only with the length of the text', () => {
  const read = (text: string) => orgToMarkdown(text);
  for (const mark of ['[[a][', '*a ', '=a', '#+begin_a\n', ':PROPERTIES:\n'])
    expectLinear(read, mark.repeat(1500), mark.repeat(6000));
});
