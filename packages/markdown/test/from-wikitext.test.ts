/** Wikitext to Markdown: the result of each construct, and that it reads back with the same meaning. */
import { parse, plainText, type ResolvedFile, references } from '@coppice/wikitext';
import { describe, expect, test } from 'vitest';
import { type ToMarkdownOptions, toMarkdown, writeFrontMatter } from '../src/from-wikitext/index.ts';
import { parseMarkdown } from '../src/index.ts';

const cases: [wikitext: string, markdown: string][] = [
  ["'''Oak''' is a ''tree''.", '**Oak** is a *tree*.'],
  ["''' a '''b", '**a** b'],
  ['== History ==\nLong.', '## History\n\nLong.'],
  ['* one\n** two\n# three', '- one\n  - two\n\n1. three'],
  ['<ol start="3"><li>c</li></ol>', '3. c'],
  ['; term\n: meaning', 'term\n: meaning'],
  ['Question\n: reply\n:: answer', 'Question\n\n> reply\n>\n> > answer'],
  ['[[Elm|the elm]] [[Elm#The crown]]', '[the elm](/elm) [Elm#The crown](/elm#The_crown)'],
  ["[[Missing|nobody ''wrote'' it]] [[Not there#Yet]]", '[[Missing|nobody wrote it]] [[Not there#Yet]]'],
  ['[[/not/there]] [[:Key: value]] [[Missing]]s', '[[/not/there]] [[:Key: value]] [[Missing|Missings]]'],
  ['{|\n! a\n|-\n| [[Missing|b]]\n|}', '| a |\n| - |\n| [[Missing\\|b]] |'],
  ['[[#Below]]\n== Below ==', '[#Below](/here#Below)\n\n## Below'],
  [
    '[https://example.org a site] [https://example.org]',
    '[a site](https://example.org) <https://example.org>',
  ],
  ['a<br>b<sub>2</sub> <s>c</s> <u>d</u>', 'a\\\nb<sub>2</sub> ~~c~~ <u>d</u>'],
  ['<nowiki>*a* _b_ [c](d) <e> `f` $1$</nowiki>', '\\*a\\* \\_b\\_ \\[c]\\(d) \\<e> \\`f\\` \\$1\\$'],
  ['<code>a</code> and <code>a|`b`</code>', '`a` and `` a|`b` ``'],
  [' code\n  more', '```\ncode\n more\n```'],
  ['<syntaxhighlight lang="js">\nlet a;\n</syntaxhighlight>', '```js\nlet a;\n```'],
  ['<math>x^2</math> <math display="block">y</math>', '$x^2$\n\n$$\ny\n$$'],
  ['{|\n! a !! b\n|-\n| 1 || 2\n|}', '| a | b |\n| - | - |\n| 1 | 2 |'],
  ['{|\n| a || b\n|}', '| | |\n| - | - |\n| a | b |'],
  [
    '{|\n! a\n! b\n|-\n| rowspan="2" | x\n| y\n|-\n| colspan="1" | z\n|}',
    '| a | b |\n| - | - |\n| x | y |\n| | z |',
  ],
  [
    '{|\n|+ Sizes\n! a !! b\n|-\n|\n* one\n* two\n| c\n|}',
    '**Sizes**\n\n| a | b |\n| - | - |\n| • one<br>• two | c |',
  ],
  ['{|\n| only a frame\n|}', 'only a frame'],
  [
    'a<ref name="x">Smith.</ref> b<ref name="x" /> c<ref group="n">N.</ref>\n\n== Notes ==\n<references />\nend',
    'a[^1] b[^1] c[^n-1]\n\n## Notes\n\n[^1]: Smith.\n\nend\n\n[^n-1]: N.',
  ],
  ['a<ref name="x" />\n<references><ref name="x">late</ref></references>', 'a[^1]\n\n[^1]: late'],
  ['[[File:oak.jpg|thumb|alt=A tree|An [[Elm]]]]', '![A tree](/files/oak.jpg)\n\n*An [Elm](/elm)*'],
  ['[[File:oak.jpg|link=Elm|x]] [[File:none.jpg|A caption]]', '[![x](/files/oak.jpg)](/elm) A caption'],
  ['[[File:oak.jpg|20x10px|x]] [[File:oak.jpg|x10px|y]]', '![x|20x10](/files/oak.jpg) ![y](/files/oak.jpg)'],
  ['[[File:notes.txt|read it]]', '[read it](/files/notes.txt)'],
  ['<gallery>\noak.jpg|An oak\n</gallery>', '- ![An oak](/files/oak.jpg) An oak'],
  ['[[kind:tree]] <span style="display:none">hidden</span> [[Type:Tree]]', ''],
  ['----', '---'],
  ['1. no list\n\n<nowiki># no heading</nowiki>', '1\\. no list\n\n\\# no heading'],
];

describe('wikitext becomes Markdown', () => {
  test.each(cases)('%j', (wikitext, markdown) => {
    expect(convert(wikitext).trimEnd()).toBe(markdown);
  });

  test('links to missing pages lead to the same names again', () => {
    const source = '[[Missing|x]] [[:Key: value]] [[/not/there]] [[../up|u]] [[Not there#Yet]] [[Is_it]]';
    const linksOf = (tree: Parameters<typeof references>[0]) =>
      references(tree).links.map(({ target, isPath }) => [target, isPath]);
    const again = parseMarkdown(convert(source), { path: '/here' });
    expect(linksOf(again)).toEqual(linksOf(parse(source, { path: '/here' })));
  });

  test('a long and mixed page has the same content after conversion to Markdown', () => {
    const words = (text: string) => text.replace(/[\s|•]+/g, ' ').trim();
    const source = cases.map(([wikitext]) => wikitext.replace('>hidden<', '><')).join('\n\n');
    const read = parseMarkdown(convert(source), { path: '/here', calls: [] });
    for (const word of words(plainText(parse(source, { path: '/here', expanded: true }))).split(' '))
      expect(plainText(read)).toContain(word);
  });

  test('the caller decides where links lead', () => {
    const options: ToMarkdownOptions = {
      page: ({ target }) => `${target}.md`,
      file: ({ name }) => `files/${name}`,
    };
    expect(convert('[[Missing]] [[File:oak.jpg]]', options)).toBe(
      '[Missing](Missing.md) ![oak.jpg](files/oak.jpg)\n',
    );
    expect(convert('[[Elm]]', { origin: 'https://wiki.example' })).toBe('[Elm](https://wiki.example/elm)\n');
  });

  test('an address with a dangerous scheme leads nowhere', () => {
    const page = convert(
      '[javascript:alert(1) a] <a href="javascript:alert(1)">b</a> [[File:oak.jpg|link=javascript:alert(1)|c]]',
    );
    expect(page).not.toMatch(/\]\(\s*<?javascript/);
  });
});

test('HTML that a page writes as text stays text when its Markdown is read', () => {
  const source = '<nowiki><script>alert(1)</script></nowiki> &lt;img src=x onerror=alert(1)&gt;';
  const read = parseMarkdown(convert(source), { path: '/here', calls: [] });
  expect(plainText(read)).toBe('<script>alert(1)</script> <img src=x onerror=alert(1)>');
});

test.each([
  ['quotes', (n: number) => '<blockquote>'.repeat(n)],
  ['lists', (n: number) => '*'.repeat(n)],
  ['items', (n: number) => '* a\n'.repeat(n)],
  ['marks', (n: number) => "'''a''b".repeat(n)],
  ['spans', (n: number) => '<span>'.repeat(n)],
  ['notes', (n: number) => 'a<ref>b</ref>'.repeat(n)],
  ['cells', (n: number) => `{|\n${'|-\n| a || b\n'.repeat(n)}|}`],
  ['wide cells', (n: number) => `{|\n${'|-\n| colspan=1000 rowspan=1000 | a\n'.repeat(n)}|}`],
  ['tables', (n: number) => '{|\n|\n'.repeat(n)],
  ['signs', (n: number) => '*_[<`$'.repeat(n)],
])('the Markdown of hostile %s grows no faster than they do', (_name, make) => {
  const [short, long] = [200, 800].map((times) => convert(make(times)).length);
  expect(long).toBeLessThan(6 * (short as number) + 1000);
});

test('front matter reads as it was written', () => {
  expect(writeFrontMatter({ title: 'A: "b"', tags: { kind: ['tree'] }, change: 4 })).toBe(
    `---\ntitle: 'A: "b"'\ntags:\n  kind:\n    - tree\nchange: 4\n---\n`,
  );
});

function convert(wikitext: string, options?: ToMarkdownOptions): string {
  const tree = parse(wikitext, { path: '/here', expanded: true });
  const image = (name: string): ResolvedFile => ({
    url: `/files/${name}`,
    mime: 'image/jpeg',
    width: 800,
    height: 600,
    title: name,
  });
  return toMarkdown(
    tree,
    {
      page: { path: '/here', title: 'Here' },
      pages: new Map(
        references(tree).links.flatMap(({ target }) =>
          target === 'Elm' ? [[target, { path: '/elm', title: 'Elm' }] as const] : [],
        ),
      ),
      files: new Map([
        ['oak.jpg', image('oak.jpg')],
        ['notes.txt', { url: '/files/notes.txt', mime: 'text/plain', title: 'notes.txt' }],
      ]),
    },
    options,
  );
}
