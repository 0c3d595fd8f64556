/** Notes that the cases in `cases/notes.md` cannot show: long lists, and the targets of notes. */
import { expect, it } from 'vitest';
import { parse, references, render } from '../src/index.ts';
import { show } from './world.ts';

const notes = (count: number) => Array.from({ length: count }, (_, i) => `<ref>n${i}</ref>`).join('');

it.each([
  [10, '', 'mw-references-wrap"'],
  [11, '', 'mw-references-wrap mw-references-columns"'],
  [11, '<references responsive="1"/>', 'mw-references-wrap mw-references-columns"'],
])('a list of %i notes with %j is wrapped in %s', (count, list, wrapped) =>
  expect(show(notes(count) + list).html).toContain(`<div class="${wrapped}>`),
);

it('a list that must not be set in columns is not', () =>
  expect(show(`${notes(11)}<references responsive="0"/>`).html).not.toContain('columns'));

it('details name pages as the text does', () => {
  const tree = parse('<ref name="a" details="[[Oak]], page 7"/>', { expanded: true });
  expect(references(tree).links).toEqual([{ target: 'Oak', isPath: false, count: 1 }]);
});

it('details cannot bring markup of their own', () => {
  const tree = parse(`<ref name="a" details="<script>x</script>&quot;><img src=x onerror=y>"/>`, {
    expanded: true,
  });
  const page = { path: '/', title: '' };
  const { html } = render(tree, { pages: new Map(), files: new Map(), page });
  expect(html).not.toMatch(/<script|<img/);
});

it('very many parts of one note take time in proportion to their number', () => {
  const parts = Array.from({ length: 20_000 }, (_, i) => `<ref name="a" details="p. ${i}"/>`).join('');
  const { html } = show(`<ref name="a">b</ref>${parts}`);
  expect(html).toContain('&#91;1.20000&#93;');
});
