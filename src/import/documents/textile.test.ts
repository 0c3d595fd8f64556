/** Textile, before and after. */
import { expect, test } from 'vitest';
import { expectLinear } from '#test/support/cpu.ts';
import { textileToMarkdown } from './textile.ts';

test.each([
  ['---\na: b\n---\nh1. Oak\n\nh3(cls#bark). The _bark_', '---\na: b\n---\n# Oak\n\n### The *bark* {#bark}'],
  [
    '*b* _i_ -d- +n+ H ~2~ x[^2^] ??c?? %(x)s% @a *b*@',
    '**b** *i* ~~d~~ <ins>n</ins> H <sub>2</sub> x<sup>2</sup> <cite>c</cite> s `a *b*`',
  ],
  ['a-b-c snake_case_name 2*3*4', 'a-b-c snake_case_name 2*3*4'],
  ['"The *elm*(So)":/elm, "x":http://a.org.', '[The **elm**](</elm> "So"), [x](<http://a.org>).'],
  ['!>a/b.png(An oak)!:/oak !c.png!', '[![An oak](<a/b.png>)](</oak>) ![](<c.png>)'],
  ['"a":{% link b.md %}#c, {{ x }}', '[a]({% link b.md %}#c), {{ x }}'],
  ['* a\n** b\n*# c\n# d\n## e', '- a\n  - b\n  1. c\n1. d\n   1. e'],
  ['|_. A |_. B |\n| 1 |\\2. 2 |', '| A | B |  |\n|---|---|---|\n| 1 | 2 |  |'],
  ['table(x). \n|a|_. b|', '|  |  |\n|---|---|\n| a | **b** |'],
  ['one[1] two\nthree\n\nfn1. The *note*', 'one[^1] two  \nthree\n\n[^1]: The **note**'],
  ['bq.:http://a.org Said\n\nbc. x = *y*', '> Said\n>\n> <http://a.org>\n\n```\nx = *y*\n```'],
  ['bc.. one\n\ntwo\n\np. Text', '```\none\n\ntwo\n```\n\nText'],
  ['bq.. one\n\ntwo\n\nh2. T', '> one\n\n>\n> two\n\n## T'],
  [
    '<pre>\n*a*\n\nb\n</pre>\n\nHTML(Hyper Text) (c)',
    '<pre>\n*a*\n\nb\n</pre>\n\n<abbr title="Hyper Text">HTML</abbr> ©',
  ],
  [
    '- term := meaning =:\n\n==*raw*== {{ page.title }} {% x %}',
    'term\n: meaning\n\n*raw* {{ page.title }} {% x %}',
  ],
])('%j', (textile, markdown) => {
  expect(textileToMarkdown(textile)).toBe(`${markdown}\n`);
});

test('work grows only with the length of the text', () => {
  for (const mark of ['"a', '!a', '*a ', '@a', '|a', '<pre>\n', '[*a'])
    expectLinear(textileToMarkdown, mark.repeat(1500), mark.repeat(6000));
});
