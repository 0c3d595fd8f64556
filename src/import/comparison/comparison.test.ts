/** Reads of both sides of a comparison, and the comparison itself. */
import { fromHtml } from 'hast-util-from-html';
import { expect, test } from 'vitest';
import { defaultDialect } from '#core/content/dialect.ts';
import { expectLinear } from '#test/support/cpu.ts';
import { differenceOf } from './difference.ts';
import { shownInDokuWiki } from './dokuwiki-source.ts';
import { linksElsewhere } from './link-words.ts';
import { shownInMarkdown } from './markdown-source.ts';
import { readMarkup } from './markup.ts';
import { plainLinks } from './plain-links.ts';
import { shownIn } from './shown.ts';
import { shownInWikitext } from './wikitext-source.ts';

const words = (text: string) => ({ words: text, parts: {} });

test('words are compared as a multiset, and in order where all are there', () => {
  expect(differenceOf(words('x a b c y'), words('x c a b y'), 'whole')).toEqual({
    moved: { words: 3, examples: ['a b c'] },
    parts: [],
  });
  expect(differenceOf(words('a b'), words('b a'), 'missing only')).toBeUndefined();
  // Notes stand where each program puts them.
  expect(differenceOf(words('a b'), { words: 'b a', parts: { notes: 1 } }, 'whole')).toBeUndefined();
  expect(differenceOf(words('a b c d'), words('a bc d'), 'whole')).toEqual({
    missing: { words: 2, examples: ['b c'] },
    added: { words: 1, examples: ['bc'] },
    parts: [],
  });
  expect(differenceOf(words('a'), words('a a'), 'whole')).toMatchObject({ added: { words: 1 } });
  expect(differenceOf(words('a'), words('a a'), 'missing only')).toBeUndefined();
});

test('titles of tabs and the like, which only one reading of the source has, are not named as added', () => {
  const here = { words: 'linux a b', parts: { headings: 1 } };
  const [source, otherwise] = [
    { words: 'a b', parts: { headings: 0 } },
    { words: 'linux a', parts: { headings: 1 } },
  ];
  expect(differenceOf(source, here, 'whole')).toMatchObject({ added: { words: 1 }, parts: [{ here: 1 }] });
  expect(differenceOf(source, { ...here, words: 'linux a' }, 'whole', otherwise)).toEqual({
    missing: { words: 1, examples: ['b'] },
    parts: [],
  });
  expect(differenceOf(words('a'), here, 'whole', otherwise)).toMatchObject({ added: { examples: ['b'] } });
});

test('the number of examples is limited, however much is missing', () => {
  const many = Array.from({ length: 10_000 }, (_, number) => `w${number} kept`).join(' ');
  const kept = Array.from({ length: 10_000 }, () => 'kept').join(' ');
  const difference = differenceOf(words(many), words(kept), 'whole');
  expect(difference?.missing?.words).toBe(10_000);
  expect(difference?.missing?.examples).toEqual(['w0', 'w1', 'w2', 'w3', 'w4']);
});

test.each([
  ['<p>f<b>oo</b> bar<br>baz</p><p>x</p>', 'foo bar baz x'],
  ['<h2>A</h2><ul class="listing"><li>Other</li></ul><script>no()</script><nav>no</nav>B', 'a b'],
  ['<div class="callout callout-note"><p class="callout-title">Note</p><p>Note</p></div>', 'note'],
  ['<table><tr><td>a</td><td>b&amp;c</td></tr></table>', 'a b c'],
  ['<p>soft&shy;hyphen caf&#233;</p><!-- hidden --><p>y</p>', 'softhyphen café y'],
  ['<p><span class="math">x^2</span> is</p>', 'is'],
  ['<p>a</p><embed src="x"><link href="y"><p>b</p>', 'a b'],
])('the words of %s', (html, expected) => {
  expect(readMarkup(html).shown.words).toBe(expected);
  const { links: _, ...shown } = shownIn(fromHtml(html, { fragment: true }));
  expect(shown).toEqual(readMarkup(html).shown);
});

test('IDs, links and missing files of a page are found', () => {
  const { ids, pages, missingFiles } = readMarkup(
    '<h2 id="a&amp;b">A</h2><a href="/caf%C3%A9/x?y#z">l</a> <a class="new" href="/new">n</a> <a href="//x.org">w</a><span class="missing-file">Oak.png</span>',
  );
  expect([ids, [...pages], [...missingFiles]]).toEqual([['a&b'], ['/café/x'], ['oak.png']]);
});

test('links that changed places are found by their words, unless the words do not decide', () => {
  const source =
    '[the oak](oak.md) [**the** elm](trees/elm%20tree.md#bark), [[Ash|an ash]], [[Yew]], [here](oak.md) [here](elm.md)';
  const outcomes = [
    { old: 'oak.md', new: '/oak' },
    { old: 'trees/elm%20tree.md#bark', new: '/elm#Bark' },
    { old: '[[Ash|an ash]]', new: '/ash' },
    { old: '[[Yew]]', new: '/yew' },
  ];
  const found = (html: string) =>
    linksElsewhere(shownInMarkdown(source, 'obsidian').links, outcomes, readMarkup(html).links);
  const link = (path: string, text: string) => `<a href="${path}">${text}</a> `;
  const right = [link('/oak', 'the oak'), link('/elm#Bark', '<b>the</b> elm'), link('/ash', 'an ash')];
  expect(found(right.join('') + link('/yew', 'Yew') + link('/elm', 'here') + link('/oak', 'here'))).toEqual(
    [],
  );
  const why = 'its words lead to another page here';
  const swapped = [
    link('/elm#Bark', 'the oak'),
    link('/oak', 'the elm'),
    link('/yew', 'an ash'),
    link('/ash', 'Yew'),
  ];
  expect(found(swapped.join(''))).toEqual(outcomes.map((one) => ({ ...one, why })));
  // The right page does not exist yet, or is not reached at all, which following the links finds.
  expect(found(`${link('/yew', 'an ash')}<a class="new" href="/new">an ash</a>`)).toEqual([]);
  expect(found(link('/yew', 'an ash'))).toEqual([]);
});

test('links of HTML and wikitext that changed places are found as well', () => {
  const here = readMarkup('<a href="/elm">the oak</a> <a href="/oak">an elm</a>').links;
  const html = shownIn(fromHtml('<a href="a%20b.html">the <b>oak</b></a><a href="c">an elm</a>'));
  expect(html.links?.map(({ text, href }) => [text, href])).toEqual([
    ['the oak', 'a b.html'],
    ['an elm', 'c'],
  ]);
  const [oak, elm] = [
    { old: 'a%20b.html', new: '/oak' },
    { old: 'c', new: '/elm' },
  ];
  expect(linksElsewhere(html.links ?? [], [oak, elm], here).map(({ old }) => old)).toEqual([
    'a%20b.html',
    'c',
  ]);
  const plain = plainLinks({ language: 'wikitext', text: '[[Oak|the oak]] {{x|[[Elm|an elm]]}}' });
  const links = [
    { old: 'Oak', new: '/oak' },
    { old: 'Elm', new: '/elm' },
  ];
  expect(linksElsewhere(plain, links, here).map(({ old }) => old)).toEqual(['Oak']);
  expect(linksElsewhere([], [{ old: '[[Oak|the oak]]', new: '/oak' }], here)).toHaveLength(1);
});

test.each([
  ['[[Oak|the oak]] [[Elm#Bark]] ![[a.png]] ![[Page]]', 'the oak elm bark', { pictures: 1 }],
  ['a[^1]\n\n[^1]: note', 'a note', { notes: 1 }],
  ['- [x] done\n- [ ] not', 'done not', { 'list items': 2 }],
  ['> [!tip] Title\n> text', 'title text', {}],
  ['!!! note "Title"\n    text\n\nafter', 'title text after', { 'blocks of code': 0 }],
  ['::: tip Title\ntext\n:::', 'title text', {}],
  ['`[[a|b]]` and\n\n```\n{{< x >}}\n```', 'a b and x', { 'blocks of code': 1 }],
  ['---\ntitle: x\n---\n# A {#id .c}', 'a', { headings: 1 }],
])('Markdown %j is shown as %j', (source, expected, parts) => {
  const shown = shownInMarkdown(source, 'obsidian');
  expect(shown.words).toBe(expected);
  expect(shown.parts).toMatchObject(parts);
});

test.each([
  ['=== "C"\n\n    ```c\n    a\n    ```\n\n!!! note\n    b', 'c a b', { 'blocks of code': 1 }],
  ['/// note | T\n    open: true\n\nx\n///\n/// table-caption\ny\n///', 't x table 1 y', {}],
  ['`#!py a` :material-x: {~~b~>c~~} ++ctrl+d++\n\n*[a]: e', 'a bc ctrl d', {}],
  ['Term\n\n:   Mean\n\n    more[^1]\n\n[^1]: n\n\n    o', 'term mean more n o', { 'blocks of code': 0 }],
])('MkDocs %j is shown as %j', (source, expected, parts) => {
  const shown = shownInMarkdown(source, 'mkdocs');
  expect(shown.words).toBe(expected);
  expect(shown.parts).toMatchObject(parts);
});

test('words that touch a template are not compared', () => {
  expect(shownInWikitext('A{{x|y}}b c [[File:a.png|thumb|cap]]', defaultDialect)).toMatchObject({
    words: 'c cap',
    parts: { pictures: 1 },
  });
});

test('the words and parts of DokuWiki', () => {
  const source =
    '====== Oak ======\n===== Leaf =====\n  * [[:elm|the elm]] {{:a.png?20|alt}} ((note))\n^ h ^\n| c |\n<code php>\nx</code> %%**y**%% <php>no</php> ~~NOTOC~~';
  expect(shownInDokuWiki(source, 'Oak')).toEqual({
    words: 'leaf the elm note h c x y',
    parts: { headings: 1, 'list items': 1, rows: 2, pictures: 1, notes: 1, 'blocks of code': 1 },
  });
});

test.each([
  ['Markdown', (text: string) => shownInMarkdown(text, 'jekyll')],
  ['DokuWiki', (text: string) => shownInDokuWiki(text, '')],
  ['markup', readMarkup],
])('reading hostile %s grows only with its length', (_name, read) => {
  const marks = [
    '[[',
    '{{',
    '{%',
    '$',
    '%%',
    '> [!',
    '!!! a ',
    '<code>',
    '((',
    ':::',
    '<a',
    '{/*',
    '\n\n',
    '<!--',
    '[^a]: ',
    ': a\n',
  ];
  for (const mark of marks) expectLinear(read, mark.repeat(8000), mark.repeat(32_000));
});

test('reading hostile Markdown of MkDocs grows only with its length', () => {
  const read = (text: string) => shownInMarkdown(text, 'mkdocs');
  for (const mark of ['=== "a"\n', '/// a\n']) expectLinear(read, mark.repeat(4000), mark.repeat(16_000));
});

test('raised and lowered words are words where the program shows them so', () => {
  expect(shownInMarkdown('x^2^ H~2~O ~~a~~', 'wikijs').words).toBe('x2 h2o a');
});
