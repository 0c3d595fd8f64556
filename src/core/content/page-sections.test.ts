import { expect, test } from 'vitest';
import { cpuMs } from '#test/support/cpu.ts';
import type { Content } from '../model/page.ts';
import { defaultDialect } from './dialect.ts';
import { partsOf, sectionsOf as sectionsIn } from './page-sections.ts';

const sectionsOf = (content: Pick<Content, 'body' | 'format' | 'path'>) =>
  sectionsIn(content, defaultDialect);

test('a section reaches to the next heading of its level or a higher one', () => {
  const body = 'Lead.\n== A ==\na\n=== A1 ===\na1\n== B ==\nb\n';
  const sections = sectionsOf({ body, format: 'wikitext', path: '/x' });
  expect(sections.map(({ title, start, end }) => [title, body.slice(start, end)])).toEqual([
    ['A', '== A ==\na\n=== A1 ===\na1\n'],
    ['A1', '=== A1 ===\na1\n'],
    ['B', '== B ==\nb\n'],
  ]);
});

test('headings inside nowiki and templates do not count', () => {
  expect(
    sectionsOf({
      body: '<nowiki>\n== No ==\n</nowiki>\n{{Box|\n== Inside ==\n}}\n== Yes ==\n',
      format: 'wikitext',
      path: '/x',
    }).map(({ title }) => title),
  ).toContain('Yes');
});

test('sections of Markdown are found in their source, front matter before them', () => {
  const body = '---\ntype: Tree\n---\nLead.\n\n## A\n\na [[Oak]]\n\n```\n## no\n```\n\nB\n---\n\nb\n';
  const sections = sectionsOf({ body, format: 'markdown', path: '/x' });
  expect(sections.map(({ id, start, end }) => [id, body.slice(start, end)])).toEqual([
    ['a', '## A\n\na [[Oak]]\n\n```\n## no\n```\n\n'],
    ['b', 'B\n---\n\nb\n'],
  ]);
});

test('blocks of Markdown have their names on them, behind a picture or call, or below them', () => {
  const body =
    'A ^a\n\n![[b.png]]\n^b\n\n{{C}} ^c\n\n| d |\n|---|\n| e |\n\n^d\n\n- f\n    - g ^g\n\n> h\n\n^h\n\n```\ni\n```\n\n^i\n';
  const { blocks } = partsOf({ body, format: 'markdown', path: '/x' }, defaultDialect);
  expect(blocks.map(({ id, start, end }) => [id, body.slice(start, end).trim()])).toEqual([
    ['^a', 'A'],
    ['^b', '![[b.png]]'],
    ['^c', '{{C}}'],
    ['^d', '| d |\n|---|\n| e |'],
    ['^g', '- g'],
    ['^h', '> h'],
    ['^i', '```\ni\n```'],
  ]);
});

test('sections end at headings of their level or above, however they nest', () => {
  const body = '= A =\n=== B ===\n== C ==\n=== D ===\n= E =\n';
  const sections = sectionsOf({ body, format: 'wikitext', path: '/x' });
  expect(sections.map(({ title, end }) => [title, body.slice(end, end + 5)])).toEqual([
    ['A', '= E ='],
    ['B', '== C '],
    ['C', '= E ='],
    ['D', '= E ='],
    ['E', ''],
  ]);
});

test('many headings take time in proportion to their number', async () => {
  const ofHeadings = (count: number) => {
    const body = '== a ==\n'.repeat(count);
    return cpuMs(() => sectionsOf({ body, format: 'wikitext', path: '/x' }));
  };
  const [quarter, whole] = [await ofHeadings(5000), await ofHeadings(20_000)];
  expect(whole).toBeLessThan(8 * quarter + 20);
});
