import { parse, references } from '@coppice/wikitext';
import { expect, test } from 'vitest';
import { markdownToWikitext } from './markdown.ts';

const named = (markdown: string) =>
  references(parse(markdownToWikitext(markdown), { path: '/a/b', expanded: true }));

test.each([
  ['# Title', '<h1>Title</h1>'],
  ['*a* **b** ~~c~~', '<p><em>a</em> <strong>b</strong> <del>c</del></p>'],
  ['- one\n- two', '<ul>\n<li>one</li>\n<li>two</li>\n</ul>'],
  ['3. x', '<ol start="3">\n<li>x</li>\n</ol>'],
  [
    '| a |\n|:-:|\n| b |',
    '<table class="wikitable">\n<tr><th style="text-align:center">a</th></tr>\n<tr><td style="text-align:center">b</td></tr>\n</table>',
  ],
  [
    '| a |\n|---|\n| [[Mill\\|the mill]] {{Box\\|b}} `c\\|d` |',
    '<table class="wikitable">\n<tr><th>a</th></tr>\n<tr><td>[[Mill|the mill]] {{Box|b}} <code>c&#124;d</code></td></tr>\n</table>',
  ],
  [
    '[a][1] [b] [c]\n\n[1]: /x\n\n> [b]: https://example.org "B"\n\n[1]: /y',
    '<p>[[/x|a]] [https://example.org b] &#91;c&#93;</p>\n<blockquote>\n\n</blockquote>',
  ],
  [
    '![A cat][cat] ![no][nothing]\n\n[cat]: cat.png',
    '<p>[[File:cat.png|alt=A cat]] &#33;&#91;no&#93;&#91;nothing&#93;</p>',
  ],
  ['[x][bad]\n\n[bad]: javascript:alert(1)', '<p>x</p>'],
  ['```js\na < b\n```', '<syntaxhighlight lang="js">a < b</syntaxhighlight>'],
  ['    a < b', '<pre>a &#60; b</pre>'],
  ['a[^n] b[^n]\n\n[^n]: Note', '<p>a<ref name="md&#45;n">Note</ref> b<ref name="md&#45;n" /></p>'],
])('%j becomes %j', (markdown, wikitext) => {
  expect(markdownToWikitext(markdown)).toBe(wikitext);
});

test('wiki links, markers and templates mean what they mean in wikitext', () => {
  const { links, tags, type, templates } = named(
    'See [[Mill|the mill]] and [p](/x/y), [r](sibling). [[Kind:Old]] [[Type:Place]] {{Box|a\n\nb}}',
  );
  expect(links.map(({ target }) => target)).toEqual(['Mill', '/x/y', '/a/sibling']);
  expect(tags).toEqual([{ key: 'kind', value: 'Old' }]);
  expect(type).toBe('Place');
  expect(markdownToWikitext('{{Box|a\n\nb}}')).toBe('\n{{Box|a\n\nb}}\n');
  expect(templates).toEqual([]);
});

test('parameters with a default are one, braces within braces balance', () => {
  for (const source of ['{{{1}}}', '{{{1|{{Box|a}}}}}', '{{Box|{{{1}}}}}', '{{a|{{b}}}}']) {
    expect(markdownToWikitext(`x ${source} y`)).toBe(`<p>x ${source} y</p>`);
  }
  expect(markdownToWikitext('{{a {b}')).not.toContain('{{');
});

test('in code they are text', () => {
  expect(named('`[[A]]` and\n\n    [[B]]\n\n```\n[[C]]\n```').links).toEqual([]);
});

test('wikitext syntax in Markdown text is text', () => {
  const text = "''no'' == no == {| no |} * no # no __TOC__ ~~~~ <nowiki";
  expect(markdownToWikitext(text).replace(/&#\d+;/g, '')).not.toMatch(/''|==|\{\||__/);
});

test('other servers are linked, never loaded, and unknown schemes lead nowhere', () => {
  expect(markdownToWikitext('![x](https://example.org/a.png)')).toBe('<p>[https://example.org/a.png x]</p>');
  expect(markdownToWikitext('[x](javascript:alert(1)) [y](data:text/html,z)')).toBe('<p>x y</p>');
  expect(markdownToWikitext('![A cat](cat.png)')).toBe('<p>[[File:cat.png|alt=A cat]]</p>');
});

test('private-use characters in the source cannot pose as what was set aside', () => {
  expect(markdownToWikitext('\u{f0000}0\u{f0001} [[A]]')).toBe('<p>\ufffd0\ufffd [[A]]</p>');
});

test('hostile nesting ends in text, not in an exception', () => {
  for (const part of ['>', '> ', '- ', '[', '[[', '{{', '[a](', '*a ', '`', '<b>', '[^1]:']) {
    expect(typeof markdownToWikitext(`${part.repeat(5000)}a`)).toBe('string');
  }
});

test('of thousands of marks in one block the last are text, whatever they stand in, and lists have many blocks', () => {
  const item = '*a* [b](/b)';
  expect(markdownToWikitext(`- ${item}\n`.repeat(1000))).toMatch(/<em>a<\/em> \[\[\/b\|b\]\]<\/li>\n<\/ul>$/);
  const shown = markdownToWikitext(
    `${'*a'.repeat(5000)}\n${item} [[C]] \`x[*]\` ![*d*](e.png)\n\n    ${'f[_]'.repeat(3000)}`,
  );
  expect(/[\u{f0000}-\u{f001f}]/u.test(shown)).toBe(false);
  const text = shown.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
  const end = `a ${item} [[C]] <code>x[*]</code> ![*d*](e.png)</p>\n<pre>${'f[_]'.repeat(3000)}</pre>`;
  expect(text.endsWith(end)).toBe(true);
});
