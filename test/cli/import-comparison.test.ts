/**
 * The certificate of an import compares each page, as readers see it, with its source. The sources hold constructs that are known
 * to be shown otherwise here.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Certificate } from '#import/certificate.ts';
import { startWiki, type TestWiki } from '../support/cli.ts';
import { edit, markup, pixel, plant } from '../support/import-source.ts';

async function imported(wiki: TestWiki, source: string, ...more: string[]) {
  const { out, err } = await wiki.coppice(['import', source, '--json', ...more]);
  expect(err).toBe('');
  const { comparison } = JSON.parse(out) as Certificate;
  if (!comparison) throw new Error('Nothing was compared.');
  return comparison;
}

const alike = `---
title: Oak
---
# Oak

An *oak* is a [[Tree|tree]].[^1] Old oaks&nbsp;stand -- at **[the gate](Gate.md#key)**.

## Its leaves

| leaf | size |
|------|------|
| a    | 3    |
| b    | 4    |

- one
  - two
- [x] three

> [!note]
> Boxes have the name of their kind.

> [!tip] Water it
> Often.

\`\`\`js
const a = '[[Tree]] {{x}} $5';
\`\`\`

![An oak](oak.png) costs $5, $x^2$ is a formula, ==marked== ~~gone~~ H<sub>2</sub>O %%hidden%%

[^1]: Of the beech family.
`;

test('pages that readers see as in their program are equal, and differing pages are listed with the differences', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const folder = plant(wiki, {
    '.obsidian/app.json': '{}',
    'Oak.md': alike,
    'Tree.md': 'A tree.',
    'Gate.md': '# Gate\n\n## Key\n\nUnder the mat.\n',
    'Outside.md': 'Before ![](https://example.org/far.png) after.\n',
    'Lost.md': 'To [[Oak#No such part]] and ![[oak.png]].\n',
    'oak.png': pixel,
  });
  const comparison = await imported(wiki, folder);
  expect(comparison).toMatchObject({ pages: 5, differing: 2, more: 0, byKind: { pictures: 1, links: 1 } });
  const [lost, outside] = comparison.list.toSorted((a, b) => (a.page < b.page ? -1 : 1));
  expect(lost).toEqual({
    page: '/lost',
    links: [{ old: '[[Oak#No such part]]', new: '/oak#No such part', why: 'the page has no such heading' }],
  });
  expect(outside).toMatchObject({
    page: '/outside',
    added: { words: 5, examples: ['https example org far png'] },
    parts: [{ part: 'pictures', source: 1, here: 0 }],
  });
  const { out } = await wiki.coppice(['import', folder]);
  expect(out).toContain('Compared:   5 pages with their sources');
  expect(out).toMatch(/Differs: {4}\/outside: added 5 words: .*; pictures: 1 in the source, 0 here/);
});

test('a link by a title that two pages have leads to its own target, not to the first page of that name', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const folder = plant(wiki, {
    '.obsidian/app.json': '{}',
    'Home.md': 'See [[Notes]] and [[Notes#Part|part]].\n',
    'Basics/Notes.md': '# Notes\n\n## Part\n\nText.\n',
    'Notes/One.md': 'One.\n',
  });
  expect(await imported(wiki, folder)).toMatchObject({ pages: 3, differing: 0 });
  const home = await markup(wiki, '/home');
  expect(home).toContain('<a href="/basics/notes">Notes</a>');
  expect(home).toContain('<a href="/basics/notes#part">part</a>');
  // A page of that name which only this wiki has.
  const other = plant(wiki, { '.obsidian/app.json': '{}', 'A.md': 'See [[One|one]], [[None]].' }, 'other');
  expect((await imported(wiki, other, '--parent', '/other')).list).toEqual([
    {
      page: '/other/a',
      links: [
        {
          old: '[[One|one]]',
          new: '/notes/one',
          why: 'it leads nowhere in the source, and to this page of the wiki here',
        },
      ],
    },
  ]);
});

test('the comparison finds what is missing in pages of a MediaWiki, a DokuWiki and a Confluence', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const page = (title: string, text: string) =>
    `<page><title>${title}</title><ns>0</ns><id>1</id><revision><id>1</id><timestamp>2020-01-01T00:00:00Z</timestamp><text>${text}</text></revision></page>`;
  const dump = `<mediawiki version="0.10">${page('Oak', '== A ==\n{{Box|in}} an [[Elm]].\n* x\n[[File:Far.png|thumb|cap]]')}${page('Elm', 'Rough, see [[Oak#A]].')}</mediawiki>`;
  const folder = plant(wiki, { 'wiki.xml': dump });
  expect(await imported(wiki, join(folder, 'wiki.xml'))).toEqual({
    ...{ pages: 2, differing: 1, byKind: { pictures: 1 }, more: 0 },
    list: [{ page: '/oak', parts: [{ part: 'pictures', source: 1, here: 0 }] }],
  });

  // An unchanged text whose dead link leads to a page of the wiki.
  plant(wiki, { 'more.xml': `<mediawiki version="0.10">${page('Ash', 'By an [[Elm]]')}</mediawiki>` });
  expect(await imported(wiki, join(folder, 'more.xml'), '--parent', '/more')).toMatchObject({
    list: [{ page: '/more/ash', links: [{ old: 'Elm', new: '/elm' }] }],
  });

  const doku = plant(
    wiki,
    {
      'data/pages/start.txt':
        '====== Start ======\n**Bold** [[trees:oak|oak]] ((note))\n\n  * one\n  * two\n\n| a | b |\n',
      'data/pages/trees/oak.txt': '====== The oak ======\n===== Bark =====\nRough. {{:far.png?20}}\n',
    },
    'doku',
  );
  const compared = await imported(wiki, doku, '--parent', '/doku');
  expect(compared).toMatchObject({ pages: 2, differing: 1, byKind: { pictures: 1 } });
});

test('pages that were edited here are not compared, but unrelated pages are', async () => {
  await using wiki = await startWiki();
  const { id } = await wiki.administrator();
  const folder = plant(wiki, { 'mkdocs.yml': 'site_name: x\n', 'docs/a.md': 'One\n', 'docs/b.md': 'Two\n' });
  expect(await imported(wiki, folder)).toMatchObject({ pages: 2, differing: 0 });
  await edit(wiki, id, '/a', { body: 'Other\n' });
  expect(await imported(wiki, folder)).toMatchObject({ pages: 1, differing: 0, list: [] });
});
