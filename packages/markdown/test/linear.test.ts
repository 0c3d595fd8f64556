/** Texts that are made to take long: processing time grows no faster than their length. */
import { parse, references, render } from '@coppice/wikitext';
import { fromHtml } from 'hast-util-from-html';
import { test } from 'vitest';
import { expectLinear, isThorough } from '../../wikitext/test/expect-linear.ts';
import { markdownFromHtml } from '../src/from-html/index.ts';
import { toMarkdown } from '../src/from-wikitext/index.ts';
import { callSpansIn, parseMarkdown } from '../src/index.ts';

const nothing: ReadonlyMap<string, never> = new Map<string, never>();
const page = { path: '/a', title: 'A' };

const repeated = [
  [
    'emphasis',
    '*a ',
    'a*',
    '*a*',
    '_a ',
    'a_ ',
    '**a *a',
    '*a_ ',
    '*a **b ',
    '~~a ',
    'a~b ',
    '==a ',
    'a^b^',
    '***a ',
    '*_a_',
    '_*a*_ ',
    '__a__b',
    'a== ',
    '~a ',
    '~~~a~~~',
    '^a ',
    '**a*b ',
  ],
  [
    'links',
    '[',
    '[a',
    '[a](',
    '[a](b',
    '![a][',
    '![',
    '[a][',
    '[]',
    '[a](<b',
    '[a](b "',
    '![[]()',
    '[a]:\n',
    '[^a]',
    '^[a',
    '[a](b (c',
    '[a][b] ',
    '[a]: <',
    '[a]: b "c\n',
    '[*a](b*)',
    '[`a](b`)',
    '[a](((',
    '](',
    '![a][b]',
    '[<b>](',
    '[a](\\',
  ],
  [
    'wiki',
    '[[a]]',
    '[[a|',
    '{{',
    '{{a}}\n\n',
    '![[a]]',
    '[[a]] {{b}} ',
    '\\[[',
    '<ref>',
    '<gallery>a\n',
    '<includeonly>',
    '[[a\\|b]] ',
    '![[a.png|1]] ',
    '![[a#b]]',
    '![[a',
    ']]',
    '}}',
    '{{{a}}}',
    '{{a|b={{',
    '[[{{a',
    '<ref name="a">',
    '<math>',
    '</ref',
    '[[k: v]]',
  ],
  ['code', '`a', '`a``b', '```\na\n', '```a\n', '~~~ a\n', '    a\n\n', '- ```\n'],
  [
    'html',
    '<a',
    '<a b="',
    '<!-- ',
    '<?',
    '<![CDATA[',
    '<!A',
    '</a ',
    '<',
    '<b>',
    '<b>a\n\n',
    '<div>\n',
    '<details>',
    '<a href="b">',
    '<b a=b>',
    '</b>',
    '<a name="b">',
    '<a\n',
    '<div>\n\n',
    '<p>a',
    '<table><tr><td>',
    '<b><i>a\n\n',
    '<img src="a.png">',
    '<!---->',
    '<a <',
    '<script>\n',
    '<b></i>',
    '<summary>',
  ],
  [
    'blocks',
    '> ',
    '> a\n',
    '> > a\n> b\n',
    '- ',
    '- a\n',
    '1. ',
    '- a\n\n',
    '> - ',
    '- <div>\n\n',
    '# a\n',
    '#',
    '---\n',
    'a\n',
    '> - > ',
    '- > a\n',
    '* a\n- b\n',
    '1. 1. ',
    '> ```\n',
    '- a\n\n  b\n',
    'a\n===\n',
    '- # a\n',
    '- a\n- b\n\n',
    '> [a]: b\n',
  ],
  [
    'tables',
    'a|b\n',
    'a|b\n-|-\n',
    '|',
    '|a|b|\n|-|-|\n',
    '|-',
    '\\|',
    '`|`|',
    '> a|b\n> -|-\n',
    '- a|b\n  -|-\n',
  ],
  [
    'boxes',
    '> [!note]\n',
    '::: a\n',
    '!!! note\n',
    '%% a\n',
    '%%a ',
    '$$ a\n',
    '$a ',
    'a\n: b\n',
    '- [x] a ^b\n',
    '# a {#b}\n',
    '[TOC]\n\n',
    '> [!a]- b\n\n',
    '> > [!a]\n',
    '::: a\n:::\n',
    ':::: a\n::: b\n',
    '!!! a\n    b\n',
    '> !!! a\n',
    '%%a%% ',
    '- %% a\n',
    '$$a$$ ',
    '- $$ a\n',
    'a\n: b\n: c\n',
    ': ',
    'a ^b\n\n',
    '{#a} ',
    '[TOC]\n\n# a\n\n',
    '```math\na\n```\n',
  ],
  ['formulas', '\\(a ', '\\(a`', '\\[a\n', '\\[', '\\(a\\)(', '\\[ab\\] ', '\\[\n', '- \\[\n'],
  ['attributes', '*a*{', '*a*{.b}', '*{.a ', '{: .a}\n', '*a*{#b .c', '# a {.b}\n', '`a`{b=c ', '**a**{b="'],
  ['scripts without spaces', '**「', '。**', '**中', '~「~', '==「a', '「*」*'],
  ['titles', '> [!a] *b\n\n', '!!! a "*b"\n', ':::a[b\n', ':::a[*b*]\n:::\n', '::: a `b\n'],
  ['notes', '[^a]: x\n', '[^a]:', '[^a', '^[a]', '[^a]: [^a]: ', '[^a]: x\n\n    y\n\n', '[^a]: > a\n', '^['],
  [
    'text',
    '&',
    '&amp;',
    '&#1',
    '\\',
    ' ',
    'a  \n',
    '\t',
    '\n',
    ':a',
    ':tada:',
    'https://a.b/c ',
    'www.',
    'a@',
    'a.b@c.',
    '&#x41;',
    '\\\\',
    '\\\n',
    '::',
    'http://',
    'http://_a.',
    'https://a_b.c_d ',
    'www._',
    'www.a_b.',
    'http://a)',
    'http://a&b;',
    'mailto:a',
    'xmpp:a@b.c/',
    '<http://a>',
    '<a:',
    '\u{FDEF}',
  ],
] as const;

const made: Record<string, (length: number) => string> = {
  'white space in an alternative text': (length) => `![${' '.repeat(length)}a](b.png)`,
  'stars on both sides': (length) => `${'*'.repeat(length / 2)}a${'*'.repeat(length / 2)}`,
  'brackets within brackets': (length) => `${'['.repeat(length / 2)}a${']'.repeat(length / 2)}`,
  'links within links': (length) => `${'['.repeat(length / 5)}a${'](b)'.repeat(length / 5)}`,
  'rows of a table': (length) => `a|b\n-|-\n${'c|d\n'.repeat(length / 4)}`,
  'quotes that end without a paragraph': (length) => 'x\n> ---\n'.repeat(length / 8),
  'lines after quotes within quotes': (length) => `> > > > a\n${'b\n'.repeat(length / 2)}`,
  'runs of backticks, each longer': (length) => series(length, (index) => `${'`'.repeat(index)}a`),
  'lists within lists by indentation': (length) => series(length, (index) => `${'  '.repeat(index)}- a\n`),
  'boxes within boxes by indentation': (length) =>
    series(length, (index) => `${'    '.repeat(index)}!!! note\n`),
  'definitions of links': (length) => series(length, (index) => `[a${index}]: x\n`),
  'a long definition that is used often': (length) =>
    `[a]: ${'x'.repeat(length / 2)}\n\n${'[a] '.repeat(length / 8)}`,
  'notes that refer to the next two': (length) =>
    `[^0]\n\n${series(length, (index) => `[^${index - 1}]: [^${index}] [^${index + 1}]\n\n`)}`,
  'attributes of one tag': (length) => `<b ${"c='d' ".repeat(length / 6)}>`,
  'notes in their places within one another': (length) =>
    `${'^[a'.repeat(length / 4)}${']'.repeat(length / 4)}`,
  'formulas without an end in an item': (length) => `- a\n${'  $$ b\n'.repeat(length / 7)}c\n`,
  'comments without an end in an item': (length) => `- a\n${'  %% b\n'.repeat(length / 7)}c\n`,
  'tags with one end for all': (length) => `${'<ref '.repeat(length / 5)}>`,
  'tags without an end in a block': (length) => `<div>\n${'<a '.repeat(length / 3)}`,
  'headings that are named as others are numbered': (length) =>
    series(length, (index) => `# a\n# a-${index}\n`),
  'a wide table of short rows': (length) =>
    `${'|a'.repeat(length / 8)}\n${'|-'.repeat(length / 8)}\n${'|b\n'.repeat(length / 6)}`,
  'pictures within pictures': (length) => `${'!['.repeat(length / 6)}a${'](b)'.repeat(length / 6)}`,
  'code over brackets': (length) => `${'[`'.repeat(length / 4)}${'`]'.repeat(length / 4)}`,
  'braces within braces': (length) => `${'{'.repeat(length / 2)}${'}'.repeat(length / 2)}`,
  'one name that is used often': (length) => `${'[a]'.repeat(length / 3)}\n\n[a]: b\n`,
  'a title of many lines': (length) => `[a]: b "${'c\n'.repeat(length / 2)}`,
  'options of one picture': (length) => `![[a.png${'|b'.repeat(length / 2)}]]`,
  'facts that are none': (length) => `---\n${'a: '.repeat(length / 6)}\n---\n${'b '.repeat(length / 4)}`,
  'lists of facts within lists': (length) =>
    `---\na: ${'['.repeat(length / 10)}\n---\n${'b '.repeat(length / 3)}`,
  'runs of tildes, each longer': (length) => series(length, (index) => `${'~'.repeat(index)}a`),
  'notes within notes by indentation': (length) =>
    series(length, (index) => `${'    '.repeat(index)}[^${index}]: a\n`),
  'quotes, each deeper': (length) => series(length, (index) => `${'> '.repeat(index)}[!a]\n`),
  'definitions, each deeper': (length) =>
    series(length, (index) => `${'    '.repeat(index % 50)}a\n${'    '.repeat(index % 50)}: b\n`),
  prose: (length) => 'Lorem *ipsum* [dolor](/sit), `amet` **elit** sed.\n\n'.repeat(length / 48),
};

function series(length: number, part: (index: number) => string): string {
  let text = '';
  for (let index = 1; text.length < length; index++) text += part(index);
  return text;
}

function work(source: string): void {
  const tree = parseMarkdown(source, { calls: [] });
  references(tree);
  render(tree, { pages: nothing, files: nothing, page });
}

/** Every third part is a sample of each kind. */
const step = isThorough ? 1 : 3;

const families = [
  ...repeated.flatMap(([, ...parts]) =>
    parts
      .filter((_, index) => index % step === 0)
      .map((part) => [JSON.stringify(part), (length: number) => part.repeat(length / part.length)] as const),
  ),
  ...Object.entries(made),
];

const length = isThorough ? 20_000 : 10_000;

/** The search for calls alone is so fast that only long texts show how it grows. */
const spanFamilies = [
  '`a``',
  '`',
  '~~~ ',
  '```',
  '{{',
  '{{a}}',
  '<ref ',
  '<math>',
  '<gallery a',
  '[[',
  '![[a#',
  '\n',
  '> ```',
  '\\[',
];

test.each(spanFamilies)('finding calls in %j', (part) => {
  const make = (count: number) => `${part.repeat(count / part.length)}>`;
  expectLinear(callSpansIn, make(100_000), make(400_000), 25);
});

test.each(families)('%s', (_name, make) => expectLinear(work, make(length), make(4 * length), 100));

test.each(['<a href=b></a>', '<span> </span>', '<!-- a -->', '<x-raw></x-raw>'])(
  'HTML of many %s becomes Markdown',
  (empty) => {
    const work = (html: string) => markdownFromHtml(fromHtml(html, { fragment: true }));
    expectLinear(work, empty.repeat(500), empty.repeat(2000), 100);
  },
);

test('wikitext of many line breaks becomes Markdown', () => {
  const work = (source: string) => toMarkdown(parse(source), { pages: nothing, files: nothing, page });
  expectLinear(work, '<br>'.repeat(20_000), '<br>'.repeat(80_000), 100);
});
