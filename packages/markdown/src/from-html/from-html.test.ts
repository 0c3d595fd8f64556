import type { Element, Root } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { expect, test } from 'vitest';
import { markdownFromHtml, withFormulas } from './index.ts';

const written = (html: string) => {
  const root = fromHtml(html, { fragment: true });
  withFormulas(root, (math: Element) => (math.children.length > 0 ? 'x+y' : undefined));
  return markdownFromHtml(root as Root);
};

test('cells whose blocks became lines are named, and others are not', () => {
  const table = (cell: string) => written(`<table><tr><th>a<tr><td>${cell}</table>`).flattened.length;
  for (const plain of ['x', 'a<br>b', '<p>x</p>', ' <div>x</div> ']) expect(table(plain), plain).toBe(0);
  for (const block of ['<p>x</p><p>y</p>', '<ul><li>x</ul>', '<pre>x</pre>'])
    expect(table(block), block).toBe(1);
});

test('spans keep the columns apart, a caption is placed above, and alignment is kept', () => {
  const html =
    '<table><caption>Trees <i>here</i></caption><thead><tr><th>a<th>b<th>c</thead><tbody><tr><td colspan=2>x<td align=right>1<tr><td rowspan=2>y<td>z<td align=right>2<tr><td>w<td align=right>3</table>';
  expect(written(html).markdown).toBe(
    '**Trees _here_**\n\n| a | b | c |\n| - | - | -: |\n| x | | 1 |\n| y | z | 2 |\n| | w | 3 |',
  );
});

test('a table with one cell becomes its content', () => {
  expect(written('<table><tr><td><p>one</p><ul><li>two</ul></table>').markdown).toBe('one\n\n- two');
});

test.each([
  [
    '<ul><li>H<sub>2</sub>O, <kbd>x</kbd><ul><li>a<sup>2</sup></ul></ul>',
    '- H<sub>2</sub>O, <kbd>x</kbd>\n  - a<sup>2</sup>',
  ],
  ['<blockquote>a <u>b</u> c</blockquote>', '> a <u>b</u> c'],
  ['<div>a <mark>b</mark> c<p>d</div>', 'a <mark>b</mark> c\n\nd'],
  ['<ul><li>a <math><mi>x</mi></math> b</ul>', '- a $x+y$ b'],
  ['<ul><li>a <x-raw>[[Oak]]</x-raw> b</ul><x-raw>[TOC]</x-raw><p>c', '- a [[Oak]] b\n\n[TOC]\n\nc'],
  [
    'a <abbr title="A &amp; B">x</abbr> <ruby>漢<rt>kan</rt></ruby>',
    'a <abbr title="A &#38; B">x</abbr> <ruby>漢<rt>kan</rt></ruby>',
  ],
  [
    '<img src="a.png" width=20 alt=A><img src=b.png style="color:red; height: 9px"><img src=c width="50%">',
    '![A](a.png){width=20}![](b.png){height=9}![](c)',
  ],
  [
    '<a id="x"></a>a <a name="y">b</a> <a href="#x">c</a>',
    '<span id="x"></span>a <span id="y"></span>b [c](#x)',
  ],
  [
    '<section id="s"><h2>A</h2><p id="p">b</p><p id="q"><a href="#p">c</a></section>',
    '## A {#s}\n\n<span id="p"></span>b\n\n[c](#p)',
  ],
  ['<p><input type=checkbox checked> a</p>', '☑ a'],
  [
    '<figure><oembed url="https://v.example/1"></oembed></figure>',
    '[https://v.example/1](https://v.example/1)',
  ],
  ['<video src="a/b.mp4"></video> <audio><source src="c.ogg"></audio>', '[b.mp4](a/b.mp4) [c.ogg](c.ogg)'],
])('words around tags that are kept stay together: %s', (html, markdown) => {
  expect(written(html).markdown).toBe(markdown);
});

test('toggles keep their tags', () => {
  expect(
    written('<details><summary>A &lt;b&gt; c</summary><p>d</p><ul><li>e</ul></details><p>f').markdown,
  ).toBe('<details>\n<summary>A &#60;b&#62; c</summary>\n\nd\n\n- e\n\n</details>\n\nf');
});

test('a list directly within a list belongs to the item before it', () => {
  expect(written('<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>').markdown).toBe('- a\n  - b\n- c');
  expect(written('<ol><ol><li>b</ol><li>c</ol>').markdown).toBe('1. 1. b\n2. c');
  expect(written('<ul>loose<li>a</ul>').markdown).toBe('- loose\n- a');
});

test('formulas of KaTeX, MathJax, MediaWiki and plain MathML become TeX', () => {
  const mathml =
    '<math><semantics><mrow><mi>E</mi></mrow><annotation encoding="application/x-tex">E = mc^2</annotation></semantics></math>';
  const katex = `<span class="katex"><span class="katex-mathml">${mathml}</span><span class="katex-html">E=mc2</span></span>`;
  expect(written(`<p>So ${katex}.</p>`).markdown).toBe('So $E = mc^2$.');
  expect(written(`<p><span class="katex-display">${katex}</span></p>`).markdown).toBe('$$E = mc^2$$');
  const old =
    '<span class="MathJax_Preview">?</span><span class="MathJax" id="m">E</span><script type="math/tex">E</script>';
  expect(written(`<p>So ${old}</p>`).markdown).toBe('So $E$');
  expect(written('<script type="math/tex; mode=display">E</script>').markdown).toBe('$$E$$');
  expect(
    written(
      `<p><mjx-container display="true"><mjx-math>E</mjx-math><mjx-assistive-mml>${mathml}</mjx-assistive-mml></mjx-container>`,
    ).markdown,
  ).toBe('$$E = mc^2$$');
  const wikipedia =
    '<span class="mwe-math-element"><span style="display: none"><math alttext="{\\displaystyle a|b}"><mi>a</mi></math></span><img src="x.svg" class="mwe-math-fallback-image-inline"></span>';
  expect(written(`<p>${wikipedia}</p>`).markdown).toBe('$a|b$');
  expect(written('<p><math><mi>x</mi></math></p>').markdown).toBe('$x+y$');
  expect(written(`<table><tr><th>a<th>b<tr><td>${wikipedia}<td>c</table>`).markdown).toContain(
    '| $a\\|b$ | c |',
  );
});

test('long runs of elements in which nothing shows are shortened', () => {
  for (const empty of [
    '<a href=b></a>',
    '<span> </span>',
    '<!-- a -->',
    '<x-raw></x-raw>',
    '<foo></foo>',
    '<dfn></dfn>',
  ])
    expect(written(`<p>a${empty.repeat(200)}<b>b</b></p>`).markdown).toMatch(/^a.*\*\*b\*\*$/);
  expect(written(`<p>a${'<a href=b></a>'.repeat(200)}`).markdown.match(/\[\]/g)).toHaveLength(50);
});

test('emphasis within emphasis of its kind is written once', () => {
  expect(written('<p><b>a <strong>b</strong> <i>c <em>d</em></i></b> <i>e</i>').markdown).toBe(
    '**a b _c d_** *e*',
  );
  // Each of the forty levels would be written again and again.
  const deep = `<p>${'<b><i>'.repeat(20)}${'x<i>y</i>'.repeat(4000)}`;
  expect(written(deep).markdown).toContain('xy'.repeat(4000));
});
