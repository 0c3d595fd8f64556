/** Importing a folder as a user would: the result, a second run, and refusals. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createRenderer } from '#core/content/render.ts';
import type { WholePage } from '#core/model/page.ts';
import { viewPage } from '#core/pages/view-page.ts';
import { engines, startWiki, type TestWiki } from '../support/cli.ts';
import { effort } from '../support/effort.ts';
import { edit, pixel } from '../support/import-source.ts';

const tree = {
  'README.mediawiki': 'Welcome. See [[oak.wiki|the oak]], [[missing.wiki|nothing]] and <img src="logo.png">.',
  'logo.png': pixel,
  'oak.wiki':
    '== The oak ==\n[[File:oak/leaf.png|thumb|A leaf]] [[oak/acorn.wikitext#how-to-plant|plant it]] [[oak/list.csv|list]]',
  'oak/leaf.png': pixel,
  'oak/list.csv': 'a,b\n1,2\n',
  'oak/acorn.wikitext': '== Abstract ==\nOf [[../oak.wiki]], of [[/elm.wiki|elms]].\n== How to plant ==\n',
  'oak/deep/media/root.png': pixel,
  'elm.wiki': '<pre>\n  Title: Ulmus\n</pre>\n[[Oak]] [[File:root.png]] [[elm.wiki#nowhere|x]]',
  'shrubs/hazel.wiki': '= Hazel =\n',
  '.hidden/secret.wiki': 'secret',
};

describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  test('a folder becomes pages whose links and pictures lead to each other', async () => {
    await using wiki = await startWiki(engine);
    const { id } = await wiki.administrator();
    const folder = plant(wiki, tree);
    const { code, out, err } = await wiki.coppice(['import', folder, '--parent', '/wiki/trees']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('5 pages and 2 parent pages new, 0 changed, 0 unchanged');
    expect(out).toContain('Files:      4 in the source, 4 here');
    expect(out).toContain('Differs:    /wiki/trees/elm: elm.wiki#nowhere to /wiki/trees/elm#nowhere');
    expect(out).toContain('10 links lead to pages, 1 lead nowhere as in the source, 0 are lost');

    const pages = await allPages(wiki);
    expect(pages.map(({ path, title, depth }) => [path, title, depth])).toEqual([
      ['/wiki', 'wiki', 0],
      ['/wiki/trees', 'trees', 1],
      ['/wiki/trees/elm', 'elm – Ulmus', 2],
      ['/wiki/trees/oak', 'The oak', 2],
      ['/wiki/trees/oak/acorn', 'acorn', 3],
      ['/wiki/trees/shrubs', 'shrubs', 2],
      ['/wiki/trees/shrubs/hazel', 'Hazel', 3],
    ]);
    const files = Object.fromEntries(
      pages.map(({ path, files }) => [path, files.map(({ filename }) => filename)]),
    );
    expect(files).toMatchObject({
      '/wiki/trees': ['logo.png'],
      '/wiki/trees/oak': ['leaf.png', 'list.csv', 'root.png'],
    });
    expect(new Set(pages.map(({ owner }) => owner.id))).toEqual(new Set([id]));

    const oak = await markup(wiki, '/wiki/trees/oak');
    expect(oak).toContain('href="/wiki/trees/oak/acorn#How_to_plant"');
    expect(oak).toMatch(/<img[^>]+src="\/files\/[^"]*leaf/);
    expect(oak).toMatch(/<a[^>]+href="\/files\/[^"]*list\.csv"[^>]*>list</);
    const acorn = await markup(wiki, '/wiki/trees/oak/acorn');
    expect(acorn).toContain('<a href="/wiki/trees/oak">oak</a>');
    expect(acorn).toContain('<a href="/wiki/trees/elm">elms</a>');
    const elm = await markup(wiki, '/wiki/trees/elm');
    expect(elm).toContain('href="/wiki/trees/oak"');
    expect(elm).toMatch(/<img[^>]+src="\/files\/[^"]*root/);
    const readme = await markup(wiki, '/wiki/trees');
    expect(readme).toMatch(/<img[^>]+src="\/files\/[^"]*logo/);
    expect(readme).toContain('class="new"');
    expect(await wiki.coppice(['check'])).toMatchObject({ code: 0 });
  });

  test('a second run adds nothing; new and changed files are imported', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    const folder = plant(wiki, tree);
    await wiki.coppice(['import', folder, '--parent', '/trees']);
    const before = await counts(wiki);
    const again = await wiki.coppice(['import', folder, '--parent', '/trees']);
    expect(again.out).toContain('0 pages new, 0 changed, 6 unchanged');
    expect(await counts(wiki)).toEqual(before);
    const told = JSON.parse((await wiki.coppice(['import', folder, '--parent', '/trees', '--json'])).out);
    expect(told).toMatchObject({
      ...{ kind: 'wikitext', parent: '/trees', pages: { created: 0, changed: 0, unchanged: 6 } },
      ...{ numbers: { source: { pages: 5 }, result: { pages: 5 } }, links: { dead: 1, lost: 0 } },
    });

    plant(wiki, {
      'missing.wiki': '== Found ==\n',
      'oak.wiki': `${tree['oak.wiki']}\nMore.`,
      'oak/list.csv': 'a,b\n3,4\n',
    });
    const third = await wiki.coppice(['import', folder, '--parent', '/trees']);
    // The README is unchanged in the source, but its link to the missing document can resolve now.
    expect(third.out).toContain('1 page new, 2 changed, 4 unchanged');
    expect(third.out).toContain('Files:      4 in the source, 4 here');
    expect(await markup(wiki, '/trees')).toContain('<a href="/trees/missing">nothing</a>');
    expect(await markup(wiki, '/trees/oak')).toContain('More.');
    expect(await counts(wiki)).toMatchObject({ pages: before.pages + 1, changes: before.changes + 4 });
  });

  test('pages edited or moved in the wiki are left unchanged, and reported', async () => {
    await using wiki = await startWiki(engine);
    const { id } = await wiki.administrator();
    const folder = plant(wiki, tree);
    await wiki.coppice(['import', folder, '--parent', '/trees']);
    await edit(wiki, id, '/trees/oak', { path: '/oaks/oak', title: 'Quercus' });
    await edit(wiki, id, '/trees/elm', { body: 'Edited here.' });
    const unchanged = await wiki.coppice(['import', folder, '--parent', '/trees']);
    expect(unchanged).toMatchObject({ code: 0 });
    // Links to the moved page lead to where it is now.
    expect(unchanged.out).toContain('0 pages new, 3 changed, 3 unchanged');
    expect(await markup(wiki, '/trees/elm')).toContain('Edited here.');

    plant(wiki, { 'oak.wiki': '== Another heading ==\nNews.', 'elm.wiki': 'Changed there.' });
    const changed = await wiki.coppice(['import', folder, '--parent', '/trees']);
    expect(changed.code).toBe(1);
    expect(changed.out).toContain('Edited:     /trees/elm: it was edited in the wiki and in the source');
    expect(await markup(wiki, '/trees/elm')).toContain('Edited here.');
    const oak = (await allPages(wiki)).find(({ path }) => path === '/oaks/oak');
    expect(oak).toMatchObject({ title: 'Quercus', content: { body: '== Another heading ==\nNews.' } });

    const forced = await wiki.coppice(['import', folder, '--parent', '/trees', '--force']);
    expect(forced.code).toBe(0);
    expect(await markup(wiki, '/trees/elm')).toContain('Changed there.');
  });
});

test('a dry run reports what would be done and does nothing', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const { code, out } = await wiki.coppice(['import', plant(wiki, tree), '--parent', '/trees', '--dry-run']);
  expect(code).toBe(0);
  expect(out).toContain('new    /trees/oak  “The oak”');
  expect(out).toContain('Nothing was changed');
  expect(await counts(wiki)).toMatchObject({ pages: 0, files: 0 });
});

test('pages belong to the given member, with the given permissions', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  await wiki.coppice(['member', 'add', 'bob@example.org', '--name', 'Bob', '--no-passphrase']);
  const folder = plant(wiki, { 'a.wiki': 'A', 'b/c.wiki': 'C' });
  await wiki.coppice(['import', folder, '--as', 'bob@example.org', '--permissions', '700']);
  const pages = await allPages(wiki);
  expect(pages.map(({ path, owner, permissions }) => [path, owner.name, permissions])).toEqual([
    ['/a', 'Bob', 700],
    ['/b', 'Bob', 700],
    ['/b/c', 'Bob', 700],
  ]);
});

test('a page that is in the way is left alone, and everything that cannot be imported is named', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const folder = plant(wiki, {
    'taken.wiki': 'Mine',
    'taken/child.wiki': 'Child',
    'latin.wiki': Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65]),
    'search.wiki': 'At the root this path is reserved.',
    'Good.wiki': 'Good',
    'good.mediawiki': 'Good as well',
    'huge.bin': Buffer.alloc(3000),
    'more/huge.bin': Buffer.alloc(3000),
    'more/x.wiki': 'X',
  });
  symlinkSync('/etc/passwd', join(folder, 'passwd.wiki'));
  symlinkSync('..', join(folder, 'circle'));
  plant(wiki, { 'taken.wiki': 'Somebody else made this' }, 'first');
  await wiki.coppice(['import', join(wiki.folder, 'first')]);
  await using opened = await wiki.open();
  const taken = await opened.store.readAsSystem().pages.findByPath('/taken');
  if (!taken) throw new Error('The page is gone.');
  await edit(wiki, 1, '/taken', { data: {} });

  wiki.env.COPPICE_MAX_UPLOAD = '2kB';
  const { code, out } = await wiki.coppice(['import', folder]);
  expect(code).toBe(1);
  for (const line of [
    'Elsewhere:  taken: /taken is already used, so the page is at /taken-2',
    'Refused:    latin.wiki: it is not UTF-8 text',
    'Refused:    more/huge.bin: A file can have at most 2,000 bytes.',
    'Left out:   passwd.wiki: it is a symbolic link',
    'Left out:   circle: it is a symbolic link',
    'Left out:   huge.bin: there is no page in its folder to attach it to',
  ]) {
    expect(out).toContain(line);
  }
  const paths = (await allPages(wiki)).map(({ path, content }) => [path, content.body]);
  expect(paths).toContainEqual(['/taken', 'Somebody else made this']);
  expect(paths).toContainEqual(['/taken-2', 'Mine']);
  expect(paths).toContainEqual(['/taken/child', 'Child']);
  expect(paths).toContainEqual(['/search-2', 'At the root this path is reserved.']);
  expect(paths).toContainEqual(['/good', 'Good']);
  expect(paths).toContainEqual(['/good-2', 'Good as well']);
  expect(await wiki.coppice(['check'])).toMatchObject({ code: 0 });
});

test('an import that cannot start is refused with a sentence', async () => {
  await using wiki = await startWiki();
  await (await wiki.open())[Symbol.asyncDispose]();
  const folder = plant(wiki, { 'a.wiki': 'A', 'a.bin': 'a' });
  mkdirSync(join(wiki.folder, 'empty'));
  for (const [args, code, sentence] of [
    [[join(wiki.folder, 'nowhere')], 1, 'The file or folder'],
    [[join(wiki.folder, 'empty')], 1, 'is not a known kind of source'],
    [[join(folder, 'a.bin')], 1, 'Give its kind with “from”'],
    [[folder], 1, 'There is no active administrator yet'],
    [[folder, '--as', 'nobody@example.org'], 1, 'nobody@example.org'],
    [[folder, '--permissions', '999'], 2, '--permissions'],
    [[folder, '--parent', '/a/../b'], 2, '--parent'],
    [[], 2, 'SOURCE is missing'],
  ] as const) {
    const outcome = await wiki.coppice(['import', ...args]);
    expect({ args, code: outcome.code, out: outcome.out }).toEqual({ args, code, out: '' });
    expect(outcome.err).toContain(sentence);
  }
});

test('a folder that gets its own document keeps its page', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const folder = plant(wiki, { 'shrubs/hazel.wiki': 'Hazel' });
  await wiki.coppice(['import', folder, '--parent', '/plants']);
  plant(wiki, { 'shrubs/index.wiki': '= All shrubs =\n', 'README.wiki': '= Plants =\n' });
  const { code, out } = await wiki.coppice(['import', folder, '--parent', '/plants']);
  expect(code).toBe(0);
  expect(out).toContain('0 pages new, 2 changed, 1 unchanged');
  expect((await allPages(wiki)).map(({ path, title }) => [path, title])).toEqual([
    ['/plants', 'Plants'],
    ['/plants/shrubs', 'All shrubs'],
    ['/plants/shrubs/hazel', 'hazel'],
  ]);
});

/** 202 documents and 78 pictures; not part of the project. */
describe.runIf(process.env.COPPICE_CORPUS)('the corpus', () => {
  test('imports without a refusal, twice, with all links and pictures', async () => {
    await using wiki = await startWiki();
    await wiki.administrator();
    const corpus = join(process.env.COPPICE_CORPUS ?? '', 'bips');
    const { code, out } = await wiki.coppice(['import', corpus, '--parent', '/bips']);
    expect(code, out).toBe(0);
    expect(out).toContain('202 pages new');
    expect(out).toContain('78 in the source, 78 here');
    expect(out).not.toMatch(/Refused|Left out/);
    const again = await wiki.coppice(['import', corpus, '--parent', '/bips']);
    expect(again.out).toContain('0 pages new, 0 changed, 202 unchanged');

    const pages = await allPages(wiki);
    const known = new Set(pages.map(({ content }) => (content.data.import as { source: string }).source));
    for (const { path, content } of pages) {
      const html = await markup(wiki, path);
      for (const [, title] of html.matchAll(/class="new" href="\/new\?title=([^"&]*)/g)) {
        expect(known, path).not.toContain(decodeURIComponent(title ?? '').replace(/^\//, ''));
      }
      const wanted = content.body.match(/\[\[(?:File|Image):|<img\s[^>]*src=(?!"?https?:)/gi)?.length ?? 0;
      // The source leaves a <ref> open before the picture, so the rest belongs to that note, as in MediaWiki.
      if (path === '/bips/bip-0352') continue;
      const shown = html.match(/<img [^>]*src="\/files\//g)?.length ?? 0;
      expect({ path, shown }).toEqual({ path, shown: wanted });
    }
    expect(await wiki.coppice(['check'])).toMatchObject({ code: 0 });
  });
});

function plant(wiki: TestWiki, files: Record<string, string | Buffer>, name = 'trees'): string {
  const folder = join(wiki.folder, name);
  for (const [source, content] of Object.entries(files)) {
    const path = join(folder, source);
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { force: true });
    writeFileSync(path, content);
  }
  return folder;
}

async function allPages(wiki: TestWiki): Promise<WholePage[]> {
  await using opened = await wiki.open();
  const pages = await opened.store.maintenance.pagesAfter(0, 1000);
  const whole = await opened.store.readAsSystem().pages.load(
    pages.map(({ id }) => id),
    'none',
  );
  return whole.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function counts(wiki: TestWiki) {
  await using opened = await wiki.open();
  return await opened.store.maintenance.counts();
}

async function markup(wiki: TestWiki, path: string): Promise<string> {
  await using opened = await wiki.open();
  const view = await viewPage(
    { reader: opened.store.readAs(null), renderer: createRenderer(''), now: Date.now() },
    path,
    { history: 'none' },
  );
  if (!('markup' in view)) throw new Error(`${path} moved to ${view.movedTo}.`);
  return view.markup;
}
