import { expect, test } from 'vitest';
import { sectionsOf } from './page-sections.ts';

test('a section reaches to the next heading of its level or a higher one', () => {
  const body = 'Lead.\n== A ==\na\n=== A1 ===\na1\n== B ==\nb\n';
  const sections = sectionsOf({ body, path: '/x' });
  expect(sections.map(({ title, start, end }) => [title, body.slice(start, end)])).toEqual([
    ['A', '== A ==\na\n=== A1 ===\na1\n'],
    ['A1', '=== A1 ===\na1\n'],
    ['B', '== B ==\nb\n'],
  ]);
});

test('headings inside nowiki and templates are none of the page', () => {
  expect(
    sectionsOf({
      body: '<nowiki>\n== No ==\n</nowiki>\n{{Box|\n== Inside ==\n}}\n== Yes ==\n',
      path: '/x',
    }).map(({ title }) => title),
  ).toContain('Yes');
});
