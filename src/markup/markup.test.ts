import { parseFragment } from 'parse5';
import { expect, test } from 'vitest';
import { createAllowance, TakesLong } from './allowance.ts';
import { highlight } from './highlight.ts';
import { hooksOnThisThread } from './hooks.ts';
import { math } from './math.ts';

test('code is escaped and coloured only by classes', () => {
  const html = highlight('if (a < b) alert("<img src=x onerror=alert(1)>")', 'js') ?? '';
  expect(html).toContain('hljs-keyword');
  expect(html.replace(/<\/?span(?: class="[\w -]+")?>/g, '')).not.toContain('<');
});

test('unknown languages and very long code stay plain', () => {
  expect(highlight('x', 'klingon')).toBeUndefined();
  expect(highlight('x'.repeat(50_001), 'js')).toBeUndefined();
  expect(highlight('x', '__proto__')).toBeUndefined();
});

test('code that a grammar cannot process stays plain, by its lines or by the time it takes', () => {
  for (const language of ['bash', 'c', 'graphql', 'ini', 'java', 'javascript'])
    expect(highlight('a'.repeat(49_000), language)).toBeUndefined();
  expect(highlight(`${'a '.repeat(500)}\n`.repeat(49), 'csharp')).toBeUndefined();
  expect(highlight('let a = 1;', 'javascript')).toContain('hljs-keyword');
});

test('formulas become MathML', () => {
  expect(math('\\frac{a}{b}', false)).toMatch(/^<math.*<mfrac>/s);
});

test('broken formulas and growing macros are refused instead of rendered', () => {
  expect(math('\\frac{a', false)).toBeUndefined();
  expect(math('\\def\\x{\\x\\x}\\x', false)).toBeUndefined();
  expect(math('x'.repeat(5001), true)).toBeUndefined();
});

test('a macro with too long a result is refused instead of rendered', () => {
  expect(math(`\\def\\x{${'y'.repeat(4000)}}${'\\x'.repeat(400)}`, true)).toBeUndefined();
  expect(math('\\newcommand{\\two}[1]{#1#1} \\two{x}', true)).toContain('<mi>x</mi><mi>x</mi>');
});

test('the first caller gives up each slow piece of work, however early its timeout comes', () => {
  for (let i = 0; i < 100; i++) {
    const allowance = createAllowance({ patienceMs: 5, isFirst: true });
    const endless = () => {
      for (;;);
    };
    expect(() => allowance.spend(endless)).toThrow(TakesLong);
  }
});

test('the total work for code and formulas of a page is limited: the rest stays plain', () => {
  const hard = `${'a '.repeat(500)}\n`.repeat(49);
  const allowance = createAllowance({ patienceMs: 300 });
  expect(math('x^2', false, allowance)).toContain('<math');
  expect(highlight('let a = 1;', 'javascript', allowance)).toContain('hljs-keyword');
  expect(highlight(hard, 'csharp', allowance)).toBeUndefined();
  expect(highlight('let a = 1;', 'javascript', allowance)).toBeUndefined();
  expect(math('x^2', false, allowance)).toBeUndefined();

  const here = hooksOnThisThread(100);
  expect(here.math?.('x^2', false)).toContain('<math');
  expect(() => here.highlight?.(hard, 'csharp')).toThrow(TakesLong);

  const long = createAllowance({ maxLength: 10 });
  expect([long.spend(() => '123456'), long.spend(() => '123456'), long.spend(() => '1234')]).toEqual([
    '123456',
    undefined,
    '1234',
  ]);
});

test.each(['^^', '__', '\\begin{matrix}\\char"', '{'.repeat(4900), '('.repeat(4900)])(
  'a formula that makes the parser fail is refused like any other: %.20s',
  (tex) => {
    for (const display of [true, false]) expect(math(tex, display)).toBeUndefined();
  },
);

test.each([
  '\\href{javascript:alert(1)}{x}',
  '\\includegraphics{https://example.org/x.png}',
  '\\text{<script>alert(1)</script>}',
  '\\class{"onclick="alert(1)}{x}',
  '\\style{background:url(x)}{x}',
  '\\color{red;background:url(//example.org)}x',
  '\\data{onclick=alert(1)}{x}',
])('%s adds no links, pictures or handlers', (tex) => {
  const html = math(tex, false) ?? '';
  const visit = (node: {
    tagName?: string;
    attrs?: { name: string; value: string }[];
    childNodes?: unknown[];
  }) => {
    expect(['script', 'img', 'a', 'iframe']).not.toContain(node.tagName);
    for (const { name, value } of node.attrs ?? []) {
      expect(name).not.toMatch(/^on|href|src/);
      expect(value).not.toMatch(/url\(|javascript:/i);
    }
    for (const child of node.childNodes ?? []) visit(child as typeof node);
  };
  visit(parseFragment(html) as Parameters<typeof visit>[0]);
});
