/** Texts that are made to take long: the time for them grows with their length, not faster. */
import { references, render } from '@coppice/wikitext';
import { expect, test } from 'vitest';
import { parseMarkdown } from '../src/index.ts';

const nothing: ReadonlyMap<string, never> = new Map<string, never>();
const page = { path: '/a', title: 'A' };

const repeated = [
  ['emphasis', '*a ', 'a*', '*a*', '_a ', 'a_ ', '**a *a', '*a_ ', '*a **b ', '~~a ', 'a~b ', '==a ', 'a^b^'],
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
  ],
  ['tables', 'a|b\n', 'a|b\n-|-\n', '|'],
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
  ],
  ['notes', '[^a]: x\n', '[^a]:', '[^a'],
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
  cost(make(8000), 1);
  const once = cost(make(25_000), 2);
  const fourfold = cost(make(100_000), 2);
  // 2.5 for double the text is 6.25 for fourfold; what takes a moment only is not measured well.
  expect(fourfold).toBeLessThan(Math.max(once * 6.25, 150));
});
