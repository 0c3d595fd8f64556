import { expect, test } from 'vitest';
import { outsideContent } from './content-scope.ts';

const guard = ':where(:not(.markup *))';
const scoped = (selector: string) => outsideContent(`${selector}{color:red}`).replace('{color:red}', '');

test('selectors with a class, an ID or an attribute match outside content only', () => {
  expect(scoped('.sheet')).toBe(`.sheet${guard}`);
  expect(scoped('#notice')).toBe(`#notice${guard}`);
  expect(scoped('[role="option"]')).toBe(`[role="option"]${guard}`);
  expect(scoped('.tree ul > li:hover')).toBe(`.tree ul > li:hover${guard}`);
  expect(scoped('.a,\n.b p')).toBe(`.a${guard},\n.b p${guard}`);
  expect(scoped('.a:is(.b, .c:not(.d, .e)), .f')).toBe(`.a:is(.b, .c:not(.d, .e))${guard}, .f${guard}`);
  expect(scoped('.markup')).toBe(`.markup${guard}`);
});

test('pseudo-elements stay last, in both spellings', () => {
  expect(scoped('.a li::before')).toBe(`.a li${guard}::before`);
  expect(scoped('.a:after')).toBe(`.a${guard}:after`);
  expect(scoped('.a h2:first-letter')).toBe(`.a h2${guard}:first-letter`);
});

test('selectors of bare elements and of content stay unchanged', () => {
  for (const selector of ['a:hover', 'h1, h2', '.markup .infobox th', '.has-contents .markup .toc'])
    expect(scoped(selector)).toBe(selector);
});

test('elements to which an author gives the same class are not taken for children of the box', () => {
  expect(scoped('.markup > p')).toBe(`.markup${guard} > p`);
});

test('rules are found in conditions; fonts, keyframes, strings and declarations are left alone', () => {
  expect(outsideContent('@media (width < 9px){.a{b:c}.d{e:f}}.g{}')).toBe(
    `@media (width < 9px){.a${guard}{b:c}.d${guard}{e:f}}.g${guard}{}`,
  );
  const whole = '@font-face{src:url("a.b")}@keyframes k{from,to{c:.5}}';
  expect(outsideContent(`${whole}.a{content:"{.b}"}`)).toBe(`${whole}.a${guard}{content:"{.b}"}`);
  expect(outsideContent('/* .a { */.b{}')).toBe(`.b${guard}{}`);
});
