/** Markdown beyond CommonMark and GitHub: scripts without spaces, formulas of assistants, attributes, titles, facts. */
import { expect, test } from 'vitest';
import { callsIn, parseMarkdown, readFrontMatter } from '../src/index.ts';
import { htmlOf } from './html.ts';

const shown = (markdown: string, calls?: string[]) =>
  htmlOf(markdown, calls ? { calls } : {}).replace(/\n/g, '');

test.each([
  ['**「中文」**的', '<strong>「中文」</strong>的'],
  ['这是**重要。**文字', '这是<strong>重要。</strong>文字'],
  ['これは*「強調」*です', 'これは<em>「強調」</em>です'],
  ['한국어**(강조)**는', '한국어<strong>(강조)</strong>는'],
  ['这是~~删除。~~文字', '这是<del>删除。</del>文字'],
  ['这是~删除。~文字', '这是<del>删除。</del>文字'],
  ['这是==「高亮」==的', '这是<mark>「高亮」</mark>的'],
  ['这是**`code`。**文字', '这是<strong><code>code</code>。</strong>文字'],
  ['**a(b)**c', '**a(b)**c'],
])('emphasis beside punctuation of scripts without spaces: %s', (markdown, html) => {
  expect(shown(markdown)).toBe(`<p>${html}</p>`);
});

const math = (text: string) => `<span class="math"><code>${text}</code></span>`;
const display = (text: string) => `<div class="math math-display"><code>${text}</code></div>`;

test.each([
  ['so \\(x\\), \\( a_b*c* \\).', `<p>so ${math('x')}, ${math('a_b*c*')}.</p>`],
  ['\\[x\\]', display('x')],
  ['\\[ E=mc^2 \\]', display('E=mc^2')],
  ['so\n\\[\nx = 1\n\\]\nand', `<p>so</p>${display('x = 1')}<p>and</p>`],
  ['- a\n  \\[\n  \\frac{a}{b}\n  \\]', `<ul><li>a${display('\\frac{a}{b}')}</li></ul>`],
])('formulas between brackets with backslashes: %j', (markdown, html) => {
  expect(shown(markdown)).toBe(html);
});

test.each([
  '\\[1\\] Smith',
  'so \\[sic\\]',
  '\\[citation needed\\]',
  '\\(not one at all\\)',
  '\\[a\\](b)',
  '\\[a\\]\\(b\\)',
  '\\(a',
  '\\[a',
])('escaped brackets of prose stay brackets: %j', (markdown) => {
  expect(shown(markdown)).toBe(`<p>${markdown.replaceAll('\\', '')}</p>`);
});

test('a label keeps its escaped brackets', () => {
  expect(shown('[see \\[a\\] and \\[1\\]](/mill)')).toBe(
    '<p><a class="new" href="/new?path=%2Fmill">see [a] and [1]</a></p>',
  );
});

test.each([
  [':::tip{title="T"}\nx\n:::', /<p class="callout-title">T<\/p><p>x<\/p>/],
  [':::tip{.wide}\nx\n:::', /<p class="callout-title">Tip<\/p><p>x<\/p>/],
  ['```{.python .numbered}\nx\n```', /class="language-python"/],
  ['```{r}\nx\n```', /class="language-r"/],
  ['a $`b`$ c', /<span class="math"><code>b<\/code>/],
  ['![mill](mill.png =x)', /!\[mill\]\(mill\.png =x\)/],
])('forms of other editors: %j', (markdown, html) => {
  expect(shown(markdown)).toMatch(html);
});

test.each([
  ['![mill](mill.png =200x)', { width: 200 }],
  ['![mill](<mill.png> "T" =200x100 )', { width: 200, height: 100, title: 'T' }],
  ['![mill](mill.png =x100)', { height: 100 }],
  ['![mill](mill.png =50%x)', {}],
])('sizes of pictures: %s', (markdown, options) => {
  const [paragraph] = parseMarkdown(markdown, {}).children;
  const [file] = paragraph && 'children' in paragraph ? (paragraph.children ?? []) : [];
  expect(file).toMatchObject({ type: 'file', options: { alt: 'mill', ...options } });
});

test.each([
  ['> [!tip] **B** [[Mill]]\n> text', 'p', '<strong>B</strong> <a href="/mill">Mill</a>'],
  ['> [!IMPORTANT]\n> text', 'p', 'Important'],
  ['> [!tip]- `B`\n> text', 'summary', '<code>B</code>'],
  ['> [!tip|wide] **B**\n> text', 'p', '<strong>B</strong>'],
  ['::: {.callout-tip title="T *b*"}\ntext\n:::', 'p', 'T <em>b</em>'],
  ['::: {.callout-tip collapse="true"}\ntext\n:::', 'summary', 'Tip'],
  ['!!! tip "T **b**"\n    text', 'p', 'T <strong>b</strong>'],
  ['!!! tip inline end "T"\n    text', 'p', 'T'],
  ['??? tip "T **b**"\n    text', 'summary', 'T <strong>b</strong>'],
  ['::: tip T *b*\ntext\n:::', 'p', 'T <em>b</em>'],
  [':::tip[T *b*]\ntext\n:::', 'p', 'T <em>b</em>'],
  [':::tip[T]{.wide}\ntext\n:::', 'p', 'T'],
  ['::: tip\ntext\n:::', 'p', 'Tip'],
  ['??? tip ""\n    text', 'summary', 'Tip'],
])('the title of a box is Markdown: %j', (markdown, tag, title) => {
  expect(shown(markdown)).toContain(`<${tag} class="callout-title">${title}</${tag}><p>text</p>`);
});

test('an empty title in quotes counts as none', () => {
  expect(shown('!!! tip ""\n    text')).toBe('<div class="callout callout-tip"><p>text</p></div>');
});

test.each([
  ['# A {#b .c}', '<h1 id="b" class="c"><span id="A"></span>A</h1>'],
  ['# A {.b .c}', '<h1 class="b c" id="a"><span id="A"></span>A</h1>'],
  ['# A {#b onclick=c}', '<h1 id="b"><span id="A"></span>A</h1>'],
  ['a\n{: .b title="c"}', '<p title="c" class="b">a</p>'],
  [
    '**a**{.b} *c*{#d} ~~e~~{.f} `g`{.h}',
    '<p><strong class="b">a</strong> <em id="d">c</em> <del class="f">e</del> <code class="h">g</code></p>',
  ],
  ['*a*{style="position:fixed;color:red" onclick=b}', '<p><em style="color:red">a</em></p>'],
  [
    '[a](https://b.c){target=_blank onclick=d}',
    '<p><a rel="nofollow noopener" target="_blank" class="external text" href="https://b.c">a</a></p>',
  ],
  ['[a](/mill){target="_blank" title="b"}', '<p><a class="new" href="/new?path=%2Fmill" title="b">a</a></p>'],
  ['{.a} *b* {.c} *d*{e} **f{.g}', '<p>{.a} <em>b</em> {.c} <em>d</em>{e} **f{.g}</p>'],
])('attributes in braces, only safe ones: %j', (markdown, html) => {
  expect(shown(markdown)).toBe(html);
});

test('a picture takes its size from attributes', () => {
  expect(shown('![a](oak.png){width=200}')).toContain('width="200" height="150"');
});

test.each([
  [
    '+++\ntitle = "A"\ndate = 2024-05-01\ntags = ["b"]\n[x]\ny = 1\n+++\ntext',
    { title: 'A', date: '2024-05-01', x: { y: 1 } },
  ],
  ['---\n---\ntext', {}],
  ['---\n\n---\ntext', {}],
  ['+++\n+++\ntext', {}],
  ['\uFEFF---\na: 1\n---\ntext', { a: 1 }],
  ['\uFEFF+++\na = 1\n+++\ntext', { a: 1 }],
])('front matter is read and never shown: %j', (markdown, data) => {
  expect(readFrontMatter(markdown)?.data).toEqual(data);
  expect(shown(markdown)).toBe('<p>text</p>');
});

test.each(['+++\nno toml\n+++\ntext', '---\n- a\n---\ntext', '+++\ntext'])(
  'front matter without properties is text: %j',
  (markdown) => {
    expect(readFrontMatter(markdown)).toBeUndefined();
    expect(shown(markdown)).toContain('text');
  },
);

test('tags in TOML are markers', () => {
  const [first] = parseMarkdown('+++\ntags = ["b"]\n+++\n').children;
  expect(first).toMatchObject({ type: 'marker', key: 'tag', value: 'b' });
});

test('a byte order mark does not affect markup', () => {
  expect(shown('\uFEFF# A')).toBe('<h1 id="a"><span id="A"></span>A</h1>');
});

test.each(['---\na: "{{x}}"\n---\n', '+++\na = "{{x}}"\n+++\n', '---\na: "![[x]] {{"\n---\n'])(
  'braces in front matter are not calls: %j',
  (facts) => {
    const body = `${facts}{{T|one}} {{T|two}}`;
    expect(callsIn(body)).toEqual(['{{T|one}}', '{{T|two}}']);
    expect(shown(body, ['1', '2'])).toMatch(/1.*2/);
  },
);
