/** References of a page in Markdown: links, tags, templates, files, facts. */
import { expand, type Node, parse, plainText, references, render } from '@coppice/wikitext';
import { rulesOf } from '@coppice/wikitext/dialect';
import { localNames, tags } from '@coppice/wikitext/locales';
import { expect, test } from 'vitest';
import { callsIn, guardCode, parseMarkdown, readFrontMatter, readPart } from '../src/index.ts';
import { htmlOf } from './html.ts';

const named = (markdown: string) => references(parseMarkdown(markdown, { path: '/a/b' }));

test('wiki links, markers and templates mean the same as in wikitext', () => {
  const { links, tags, type, templates, location } = named(
    'See [[Mill|the mill]], [p](/x/y) and [r](sibling.md). [[Kind:Old]] [[Type:Place]] {{Box|a\n\n[[Elm]]}} [[Location: 1, 2]]',
  );
  expect(links.map(({ target }) => target)).toEqual(['Mill', '/x/y', '/a/sibling', 'Elm']);
  expect(tags).toEqual([{ key: 'kind', value: 'Old' }]);
  expect([type, templates, location]).toEqual(['Place', ['Box'], { lat: 1, lon: 2 }]);
});

test('relative links lead where a browser would go', () => {
  const targets = named('[a](c) [b](./c.md) [c](../c) [d](c/d.markdown#e) [e](sub/README.md) [f](#g)').links;
  expect(targets.map(({ target }) => target)).toEqual(['/a/c', '/c', '/a/c/d', '/a/sub']);
});

test('in code they are text, and braces in code spans do not pair', () => {
  const source = '`[[A]]` and `{{` with `}}`\n\n    [[B]]\n\n```\n[[C]] {{D}}\n```\n\n~~~\n{{E}}\n~~~';
  const { links, templates } = named(source);
  expect([links, templates, callsIn(source)]).toEqual([[], [], []]);
  expect(htmlOf(source)).toContain('<code>{{</code> with <code>}}</code>');
});

test('parameters with a default are one call, nested braces balance', () => {
  expect(callsIn('{{{1}}} {{{1|{{Box|a}}}}} {{Box|{{{1}}}}} {{a|{{b}}}} {{a {b')).toEqual([
    '{{{1}}}',
    '{{{1|{{Box|a}}}}}',
    '{{Box|{{{1}}}}}',
    '{{a|{{b}}}}',
  ]);
});

test('an embedded page is a template of its title, in wikitext', () => {
  const source = 'a ![[Mill]] ![[/x/y|label]] `![[Elm]]` \\![[Elm]] ![[oak.png]] ![[Mill#Wheel]] ![[a{{b}}]]';
  const box = (call: string) => `<div class="page-embed">\n${call}\n</div>`;
  expect(callsIn(source)).toEqual([box('{{:Mill}}'), box('{{:/x/y}}'), box('{{#part:Mill|Wheel}}')]);
  const { templates, links, files } = named(source);
  expect(templates).toEqual(['Mill', '/x/y']);
  expect(links.map(({ target }) => target)).toEqual(['Elm']);
  expect(files).toEqual(['oak.png']);
});

test('an embedded block is named with or without a number sign, and a heading may be on the page itself', () => {
  const calls = callsIn('![[Mill#^turn]] ![[Mill^turn]] ![[a^b c]] ![[#Wheel]]');
  expect(calls.map((call) => call.split('\n')[1])).toEqual([
    '{{#part:Mill|^turn}}',
    '{{#part:Mill|^turn}}',
    '{{:a^b c}}',
    '{{#part:|Wheel}}',
  ]);
});

test('chemical formulas equal those of wikitext', () =>
  expect(
    htmlOf('Water is <ce>H2O</ce>.', {
      rules: rulesOf({ language: 'en', interwiki: {}, names: localNames('en'), tags }),
    }),
  ).toBe('<p>Water is <span class="math"><code>\\ce{H2O}</code></span>.</p>'));

test('the replacement of a call is wikitext: inline in a line, a block alone', () => {
  const html = (source: string, call: string) => htmlOf(source, { calls: [call] });
  expect(html('a {{x}} b', "''c''")).toBe('<p>a <i>c</i> b</p>');
  expect(html('{{x}}', '* c\n* d')).toBe('<ul><li>c</li>\n<li>d</li></ul>');
  expect(html("''a'' {{x}}", '== b ==')).toContain("<p>''a'' </p><h2 id=\"b\">");
});

test('a Markdown template works in pages of either language, with its arguments filled in and code untouched', () => {
  const template = `<markdown>${guardCode('**{{{1}}}** `{{{1}}}` <noinclude>help</noinclude>')}</markdown>`;
  const context = {
    page: { title: 'A', path: '/a' },
    templates: new Map([['Note', template]]),
    exists: new Map(),
    listings: new Map(),
    now: 0,
  };
  const { text } = expand('see {{Note|oak}}', context);
  const tree = parse(text, { expanded: true, markdown: readPart });
  const resolved = { pages: new Map(), files: new Map(), page: { path: '/a', title: 'A' } };
  expect(render(tree, resolved).html).toBe('<p>see <strong>oak</strong> <code>{{{1}}}</code>\n</p>');
});

test('front matter sets properties of the page, and is never shown', () => {
  const source =
    '---\ntitle: An oak\ntype: Tree\ntags: [wood, "#park"]\nlocation: {lat: 51.7, lon: -1.2}\ndescription: Big.\nheight: 20\n---\n# Oak\n';
  const { type, tags, location } = named(source);
  expect([type, location]).toEqual(['Tree', { lat: 51.7, lon: -1.2 }]);
  expect(tags).toEqual([
    { key: 'tag', value: 'wood' },
    { key: 'tag', value: 'park' },
  ]);
  expect(plainText(parseMarkdown(source))).toBe('Oak');
  expect(readFrontMatter(source)).toMatchObject({
    description: 'Big.',
    data: { title: 'An oak', height: 20 },
  });
});

test.each([
  '---\na\n---\n',
  '---\n- a\n---\n',
  '---\na: [\n---\n',
  '---\nb: &a [*a, *a]\nc\n',
  `---\n${'['.repeat(9000)}\n---\n`,
])('invalid front matter is text (%#)', (source) => {
  expect(readFrontMatter(source)).toBeUndefined();
  expect(htmlOf(source)).toContain('<h');
});

test('other servers are linked, never loaded, and unknown schemes lead nowhere', () => {
  expect(htmlOf('![x](https://example.org/a.png)')).not.toContain('<img');
  // A size is no label.
  expect(htmlOf('![x|20](https://example.org/a.png)')).toContain('>x</a>');
  expect(htmlOf('[x](javascript:alert(1)) [y](data:text/html,z)')).toBe('<p>x y</p>');
  expect(htmlOf('[![build](https://ci.example/b.svg)](https://ci.example)')).toBe(
    '<p><a rel="nofollow noopener" class="external text" href="https://ci.example">build</a></p>',
  );
  expect(htmlOf('[![Oak](oak.png)](/mill)')).toMatch(
    /^<p><a [^>]*href="[^"]*mill"[^>]*><span[^>]*><img alt="Oak"/,
  );
});

test('notes that only notes refer to are listed, once each, also if they are circular', () => {
  const html = htmlOf('x[^a]\n\n[^a]: a[^b]\n\n[^b]: b[^a][^c]\n\n[^c]: c\n');
  expect(html.match(/<li /g)).toHaveLength(3);
  expect(html).not.toContain('error');
});

test('a list is loose or tight as it is written', () => {
  expect(htmlOf('- a\n\n- b')).toBe('<ul><li><p>a</p></li><li><p>b</p></li></ul>');
  expect(htmlOf('- a\n- b')).toBe('<ul><li>a</li><li>b</li></ul>');
});

test('a page has one table of contents, however often it asks', () => {
  expect(htmlOf('[TOC]\n\n# a\n\n[TOC]\n\n# b').match(/href="#a"/g)).toHaveLength(1);
});

test('a link to a file of any type leads to the file, unless a page has that name', () => {
  const file = (label: string) => `<a class="media" href="/files/rows.csv">${label}</a>`;
  expect(htmlOf('[[rows.csv]] [[rows.csv|a]] [b](rows.csv) [c](./rows.csv)')).toBe(
    `<p>${['rows.csv', 'a', 'b', 'c'].map(file).join(' ')}</p>`,
  );
  expect(htmlOf('[a](other.csv)')).toContain('class="new" href="/new?path=%2Ftrees%2Fother.csv"');
  expect(htmlOf('![[rows.csv]]')).toContain('<a href="/files/rows.csv">rows.csv</a>');
  expect(htmlOf('![figures](rows.csv)')).toContain('<a href="/files/rows.csv">figures</a>');
  expect(callsIn('![[rows.csv]] ![[a.docx]] ![[Node.js]]')).toHaveLength(1);
  expect(named('[[rows.csv]] [b](rows.csv) [c](d.md) [[Mill 2.0]]').files).toEqual(['rows.csv']);
});

test('a vector image without a known size has the size that the page gives', () => {
  expect(htmlOf('![[plan.svg|200]]')).toContain('loading="lazy" width="200">');
  expect(htmlOf('![a|200x50](plan.svg)')).toContain('loading="lazy" width="200" height="50">');
});

test('a link to a heading may contain the link in the heading', () => {
  const links = '[[Mill#[a](https //b)|c]] [[Mill#x [a](https //b) y|c]] [[Mill#[a]|c]] [[M[i]ll|c]]';
  expect(htmlOf(links)).toBe(
    '<p><a href="/mill#a">c</a> <a href="/mill#x_a_y">c</a> <a href="/mill#a">c</a> [[M[i]ll|c]]</p>',
  );
});

test('nodes have the range of their source, with their marks and all that is in them', () => {
  const source = `> a ***b** c* and _d_ \`\` e\` \`\` [f **g**](h "i") <https://j.k>
> ![l](m.png) ~~n~~ ==o== p^2^ q~3~r $s$ ^[t *u*] \\* &amp; <b>v</b>
> ![w](https://x.y/z.png) \\(A\\) **[B](c)**
> https://C.d/e *(https://f.g)*

- h

  \`\`\`
  i
  \`\`\`

| x | x
| - | -
| y | *y*

> [!note]-
> z
`;
  const written: Record<string, string[]> = {};
  const collect = (nodes: readonly Node[], around = { start: 0, end: source.length }): void => {
    for (const node of nodes) {
      expect(node.start, written.text?.at(-1)).toBeGreaterThanOrEqual(around.start);
      expect(node.end, written.text?.at(-1)).toBeLessThanOrEqual(around.end);
      const name = node.type === 'element' || node.type === 'extension' ? node.name : node.type;
      written[name] = [...(written[name] ?? []), source.slice(node.start, node.end)];
      if ('children' in node) collect(node.children ?? [], node);
    }
  };
  collect(parseMarkdown(source).children);
  expect(written).toMatchObject({
    strong: ['**b**', '**g**', '**[B](c)**'],
    em: ['***b** c*', '_d_', '*u*', '*(https://f.g)*', '*y*'],
    code: ['`` e` ``'],
    link: ['[f **g**](h "i")', '[B](c)'],
    'external-link': ['<https://j.k>', '![w](https://x.y/z.png)', 'https://C.d/e', 'https://f.g'],
    file: ['![l](m.png)'],
    del: ['~~n~~'],
    mark: ['==o=='],
    sup: ['^2^'],
    sub: ['~3~'],
    math: ['$s$', '\\(A\\)'],
    ref: ['^[t *u*]'],
    b: ['<b>v</b>'],
    li: ['- h\n\n  ```\n  i\n  ```'],
  });
  const texts = written.text?.join('|') ?? '';
  expect(texts.startsWith('a |b| c| and |d| |e`| |f |g| |https://j.k|')).toBe(true);
  expect(texts).toContain('|n| |o| p|2| q|3|r |');
});
