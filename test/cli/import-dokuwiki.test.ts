/** `coppice import` of a DokuWiki: namespaces, history, media, syntax, and malicious archives. */
import { symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Certificate } from '#import/certificate.ts';
import { engines, startWiki } from '../support/cli.ts';
import { effort } from '../support/effort.ts';
import { load, markup, pixel, plant } from '../support/import-source.ts';
import { zipOf } from '../support/zip.ts';

const oak = `====== The Oak ======
**Bold //and slanted//**, __under__, ''mono'', %%**plain**%%, %%{{template}}%%, one\\\\ two((A [[elm|note]].)).
* no list

===== Leaf shape =====
  * one
    - inner
  * two

^ Name ^ Height ^
| [[elm|Elm]] | 30 |
| Both ||
| Up | a |
| :::  | b |

<code php>
echo "[[elm]]";



// end
</code>

  <b>indented</b>

> said

{{ :trees:oak.png?20x30 |An oak}} {{:list.pdf|list}} [[#Leaf shape|down]] [[:start]] [[..:shrubs:]] [[nowhere]]
[[wp>Oak]] [[https://example.org/|site]] <chart>1</chart> {{gallery>x}} {{tag>wood tall_trees}} ~~NOTOC~~ ~~SLIDE~~
`;
const times = [1_300_000_000, 1_400_000_000, 1_500_000_000] as const;
const line = (at: number, type: string, user: string, msg: string) =>
  `${at}\t192.0.2.7\t${type}\ttrees:oak\t${user}\t${msg}\t\t5\n`;

const wikiFiles = {
  'doku.php': '<?php',
  'conf/acl.auth.php': '* @ALL 1',
  'data/pages/start.txt':
    '====== Welcome ======\n[[trees:]] [[trees:oak#leaf_shape]] [[trees:elm#a_b_c|abc]] {{logo.png}}',
  'data/pages/trees/start.txt': '====== Trees ======\n[[oak]] [[.elm]] [[Elm]] [[trees/oak]]',
  'data/pages/trees/oak.txt': oak,
  'data/pages/trees/elm.txt': 'An elm.\n\n==== A (b) & c ====\n',
  'data/pages/shrubs/%C3%A4pfel.txt': '====== Äpfel ======',
  'data/pages/shrubs.txt': 'Shrubs',
  'data/meta/trees/oak.changes':
    line(times[0], 'C', 'ada', 'created') +
    line(times[1], 'E', '', 'more') +
    line(times[2], 'E', 'ada', 'last'),
  'data/meta/gone.changes': line(times[0], 'D', 'ada', ''),
  [`data/attic/trees/oak.${times[0]}.txt.gz`]: gzipSync('first **text**'),
  [`data/attic/trees/oak.${times[1]}.txt.gz`]: gzipSync('second'),
  'data/media/trees/oak.png': pixel,
  'data/media/logo.png': pixel,
  'data/media/list.pdf': '%PDF-1.4\n',
};

/** Writing is tested in `import.test.ts`, so one engine is enough, except before a release. */
describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  test('pages, history, media and links arrive, and a second run adds nothing', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    const folder = plant(wiki, wikiFiles);
    const { code, out, err } = await wiki.coppice([
      'import',
      folder,
      '--parent',
      '/old',
      '--keep-urls',
      '--json',
    ]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const certificate = JSON.parse(out) as Certificate;
    expect(certificate.links.list.filter((link) => link.new === null)).toEqual([
      { old: 'nowhere', new: null, count: 1 },
    ]);
    expect(certificate).toMatchObject({ kind: 'dokuwiki', links: { lost: 0, dead: 1 } });
    expect(certificate.numbers.source).toMatchObject({ pages: 6, revisions: 8, authors: 2, files: 3 });
    expect(certificate.numbers.result).toMatchObject({ pages: 6, revisions: 8, authors: 2, files: 3 });
    expect(certificate.approximated.byConstruct).toEqual({
      ...{ 'plugin chart': 2, 'plugin gallery': 1, 'plugin tag': 1, macro: 1 },
    });
    expect(certificate.leftOut.list.map(({ source }) => source)).toEqual([
      ...['gone', 'other files', 'conf/acl.auth.php'],
    ]);

    const html = await markup(wiki, '/old/trees/oak');
    expect((await load(wiki, '/old/trees/oak'))?.content.body).toContain('";\n\n\n\n// end\n</syn');
    for (const part of [
      '<b>Bold <i>and slanted</i></b>',
      '<u>under</u>',
      '<code>mono</code>',
      '**plain**',
      '{{template}}',
      '* no list',
      'colspan="2"',
      'rowspan="2"',
      'note</a>',
      'echo',
      '&lt;b&gt;indented',
      '<blockquote>',
      'href="/old/shrubs"',
      'href="https://en.wikipedia.org/wiki/Oak"',
      '&lt;chart&gt;',
      '{{gallery&gt;x}}',
    ])
      expect(html).toContain(part);
    expect(html).toMatch(/<a href="\/old\/trees\/elm"[^>]*>Elm<\/a>/);
    expect(html).toMatch(/<a href="#[Ll]eaf[-_]shape"[^>]*>down/);
    expect(html).toMatch(/<img[^>]+src="\/files\/[^"]*oak/);
    expect(html).toMatch(/href="\/files\/[^"]*list\.pdf"/);
    expect(html).not.toContain('The Oak');
    const home = await markup(wiki, '/old/home');
    expect(home).toMatch(/href="\/old\/trees\/oak#[Ll]eaf/);
    expect(home).toMatch(/elm#A_\(b\)_(?:&amp;|%26|&)_c">abc/);

    const page = await load(wiki, '/old/trees/oak');
    expect(page).toMatchObject({ title: 'The Oak', updatedAt: times[2] * 1000 });
    expect(page?.tags.category).toEqual(['wood', 'tall trees']);
    expect(page?.history.map(({ at, content }) => [at / 1000, content.msg]).slice(0, 3)).toEqual([
      ...[
        [times[0], 'created'],
        [times[1], 'more'],
        [times[2], 'last'],
      ],
    ]);
    expect(page?.history[0]?.content.body).toBe('first **text**');
    await expect(markup(wiki, '/doku.php/trees:oak')).rejects.toThrow('moved to /old/trees/oak');
    expect((await load(wiki, '/old/shrubs/apfel'))?.title).toBe('Äpfel');
    expect(await wiki.coppice(['check'])).toMatchObject({ code: 0 });

    const again = ['import', folder, '--parent', '/old', '--json'];
    expect(JSON.parse((await wiki.coppice(again)).out).pages).toMatchObject({ created: 0, changed: 0 });
    // Changed outside DokuWiki: only the file's modification time shows it.
    plant(wiki, { 'data/pages/trees/elm.txt': 'A **tall** elm.\n\n==== A (b) & c ====\n' });
    utimesSync(join(folder, 'data/pages/trees/elm.txt'), 4_000_000_000, 4_000_000_000);
    expect(JSON.parse((await wiki.coppice(again)).out).pages).toMatchObject({ created: 0, changed: 1 });
    expect(await markup(wiki, '/old/trees/elm')).toContain('<b>tall</b>');
  });
});

test('a zip of the content of the folder data is a DokuWiki, and code stays in its cells and items', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const file = join(wiki.folder, 'data.zip');
  const text =
    "^ a ^ b ^\n| <code>x|y\nz</code> | ''c|d'' |\n\n  * one <code>\nx\n\ny\n</code>\n  * two\n\n[[gone]]";
  writeFileSync(
    file,
    zipOf([
      { name: 'pages/programs.txt', content: text },
      { name: 'media/dot.png', content: pixel },
    ]),
  );
  const { code, out, err } = await wiki.coppice(['import', file, '--parent', '/old', '--json']);
  expect(code, err + out).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ kind: 'dokuwiki' });
  const html = await markup(wiki, '/old/programs');
  expect(html.match(/<td/g)).toHaveLength(2);
  expect(html).toContain('x|y\nz');
  expect(html).toContain('<code>c|d</code>');
  expect(html.match(/<ul/g)).toHaveLength(1);
  expect(html.match(/<li/g)).toHaveLength(2);
  // A page that is missing in the source is missing beneath the parent, too.
  expect(html).toMatch(/class="new" href="\/new\?path=%2Fold%2Fgone"[^>]*>gone</);
});

test('content that visitors may not read in the source is hidden here, including files', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const folder = plant(wiki, {
    'conf/acl.auth.php':
      '# acl.auth.php\n# <?php exit()?>\n*\t@ALL\t1\nprivate:*  @ALL  0\nprivate:*  @board  8\nprivate:news @ALL 1 # after all\nshop @ALL 0\n',
    'data/pages/start.txt': 'Welcome',
    'data/pages/shop.txt': 'closed',
    'data/pages/private/start.txt': 'Minutes',
    'data/pages/private/news.txt': 'News',
    'data/pages/private/deep/plan.txt': 'Plan',
    'data/media/private/deep/plan.pdf': '%PDF-1.4\n',
  });
  const { code, out } = await wiki.coppice(['import', folder, '--permissions', '774', '--json']);
  expect(code).toBe(0);
  const codes: Record<string, number | undefined> = {};
  for (const path of ['/home', '/shop', '/private', '/private/news', '/private/deep', '/private/deep/plan'])
    codes[path] = (await load(wiki, path))?.permissions;
  expect(codes).toEqual({
    ...{ '/home': 774, '/shop': 700, '/private': 700, '/private/news': 774 },
    ...{ '/private/deep': 700, '/private/deep/plan': 700 },
  });
  const { leftOut } = JSON.parse(out) as Certificate;
  expect(leftOut.list.map(({ why }) => why).join()).toContain(
    'only by the importer and administrators here: 4',
  );
});

test('a zip is read in the same way; bombs, damage, links and paths outside of it do no harm', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const id = times[0];
  const entries = [
    { name: 'wiki/data/pages/a.txt', content: '[[..:..:..:etc:passwd]] {{..:..:x.png}} [[..:b]]' },
    { name: 'wiki/data/pages/%00c.txt', content: `==a${' '.repeat(900_000)}` },
    { name: 'wiki/data/pages/b.txt', content: 'b' },
    { name: 'wiki/data/pages/latin.txt', content: Buffer.from([0xe9, 0x20]) },
    { name: 'wiki/data/pages/link.txt', content: '/etc/passwd', mode: 0o120777 },
    {
      name: 'wiki/data/meta/b.changes',
      content: `${id}\t\tE\tb\t\tx\n${id + 1}\t\tE\tb\t\ty\n${id + 2}\t\tE\tb\t\tz\n`,
    },
    { name: `wiki/data/attic/b.${id}.txt.gz`, content: gzipSync(Buffer.alloc(60_000_000)) },
    { name: `wiki/data/attic/b.${id + 1}.txt.gz`, content: 'no gzip' },
  ];
  const file = join(wiki.folder, 'wiki.zip');
  writeFileSync(file, zipOf(entries));
  const { code, out } = await wiki.coppice(['import', file, '--json']);
  // The exit code reports refused entries.
  expect(code).toBe(1);
  const certificate = JSON.parse(out) as Certificate;
  expect(certificate).toMatchObject({ kind: 'dokuwiki', links: { dead: 2, lost: 0 } });
  expect(certificate.leftOut.list.map(({ source }) => source).sort()).toEqual([
    ...[`b ${id}`, `b ${id + 1}`, 'conf/acl.auth.php', 'latin', 'wiki/data/pages/link.txt'],
  ]);
  expect((await load(wiki, '/b'))?.content.body).toBe('b\n');

  writeFileSync(file, zipOf([...entries, { name: 'wiki/data/pages/../../../up.txt', content: 'x' }]));
  expect(await wiki.coppice(['import', file])).toMatchObject({ code: 1, out: '' });
  const folder = plant(wiki, { 'data/pages/c.txt': 'c' }, 'other');
  symlinkSync('/etc', join(folder, 'data/pages/etc'));
  const other = JSON.parse((await wiki.coppice(['import', folder, '--json'])).out) as Certificate;
  expect(other.leftOut.list).toEqual([
    { source: 'data/pages/etc', why: 'it is a symbolic link' },
    // Restrictions that are not in the source cannot be kept.
    { source: 'conf/acl.auth.php', why: expect.stringContaining('not in the source') },
  ]);
});
