/** Texts that are made to take long: the time for them grows with their length, not faster. */
import { references, render } from '@coppice/wikitext';
import { expect, test } from 'vitest';
import { parseMarkdown } from '../src/index.ts';

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
  'stars on both sides': (length) => `${'*'.repeat(length / 2)}a${'*'.repeat(length / 2)}`,
  'brackets within brackets': (length) => `${'['.repeat(length / 2)}a${']'.repeat(length / 2)}`,
  'links within links': (length) => `${'['.repeat(length / 5)}a${'](b)'.repeat(length / 5)}`,
  'rows of a table': (length) => `a|b\n-|-\n${'c|d\n'.repeat(length / 4)}`,
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

/** Processor time, as other work on the machine does not count; the better of a few runs. */
function cost(source: string, runs: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const before = process.cpuUsage();
    const tree = parseMarkdown(source, { calls: [] });
    references(tree);
    render(tree, { pages: nothing, files: nothing, page });
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

const families = [
  ...repeated.flatMap(([, ...parts]) =>
    parts.map(
      (part) => [JSON.stringify(part), (length: number) => part.repeat(length / part.length)] as const,
    ),
  ),
  ...Object.entries(made),
];

test.each(families)('%s', { retry: 4 }, (_name, make) => {
  cost(make(5000), 1);
  const once = cost(make(20_000), 2);
  const fourfold = cost(make(80_000), 1);
  // 2.5 for double the text is 6.25 for fourfold; what takes a moment only is not measured well.
  expect(fourfold).toBeLessThan(Math.max(once * 6.25, 100));
});
