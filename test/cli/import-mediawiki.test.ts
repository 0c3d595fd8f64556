/** `coppice import` of dumps of a MediaWiki: history, authors, redirects, namespaces, files, and a second run. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createRenderer } from '#core/content/render.ts';
import { viewPage } from '#core/pages/view-page.ts';
import { findMoved } from '#core/reading/find-page.ts';
import type { Certificate } from '#import/certificate.ts';
import { engines, startWiki, type TestWiki } from '../support/cli.ts';
import { effort } from '../support/effort.ts';
import { edit } from '../support/import-source.ts';
import { pageWith } from '../support/write-pages.ts';

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const day = (number: number) => `2011-03-${String(number).padStart(2, '0')}T10:00:00Z`;

interface Revision {
  id: number;
  text: string;
  by?: string;
  comment?: string;
}

function page(title: string, ns: number, revisions: Revision[], more = ''): string {
  const redirect = /#\S+ \[\[([^\]#]*)/.exec(revisions.at(-1)?.text ?? '')?.[1];
  const parts = revisions.map(({ id, text, by = 'Wilma', comment = '' }) => {
    const author = /^[\d.]+$/.test(by) ? `<ip>${by}</ip>` : `<username>${by}</username><id>7</id>`;
    return `<revision><id>${id}</id><timestamp>${day(id)}</timestamp><contributor>${author}</contributor>
<comment>${comment}</comment><model>wikitext</model><text xml:space="preserve">${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text></revision>`;
  });
  return `<page><title>${title}</title><ns>${ns}</ns><id>${ns * 100 + (revisions[0]?.id ?? 0)}</id>${
    redirect === undefined ? '' : `<redirect title="${redirect}" />`
  }${parts.join('')}${more}</page>`;
}

function dump(pages: string[], { version = '0.10', namespaces = '' } = {}): string {
  return `<mediawiki xmlns="http://www.mediawiki.org/xml/export-${version}/" version="${version}" xml:lang="en">
<siteinfo><sitename>Trees</sitename><base>https://trees.example.org/wiki/Main</base><namespaces>
<namespace key="0" /><namespace key="1">Talk</namespace><namespace key="6">Datei</namespace><namespace key="10">Vorlage</namespace>
<namespace key="12">Help</namespace><namespace key="14">Category</namespace><namespace key="100">Portal</namespace>${namespaces}
</namespaces></siteinfo>${pages.join('\n')}</mediawiki>`;
}

const oak = [
  { id: 1, text: 'An oak.', comment: 'first words' },
  { id: 2, text: 'An oak is a tree.', by: '192.0.2.7' },
  {
    id: 3,
    by: 'Fred',
    text: 'An [[oak tree]], see [[Elm#Bark|bark]], [[Missing]], [[Portal:Woods]], [[/Leaf]], {{box|x}} [[Datei:Oak.png|mini]] [[Category:Trees]]',
    comment: 'links',
  },
];
const trees = [
  page('Oak/Leaf', 0, [{ id: 4, text: 'Beneath [[../]] lies &c.' }]),
  page('Oak', 0, oak),
  page('Oak tree', 0, [{ id: 5, text: '#REDIRECT [[Oak]]' }]),
  page('Elm', 0, [{ id: 6, text: '== Bark ==\nRough. [[Talk:Oak]] [[AC/DC]]' }]),
  page('AC/DC', 0, [{ id: 7, text: 'Not beneath anything.' }]),
  page('Talk:Oak', 1, [{ id: 8, text: 'Discuss.' }]),
  page('Portal:Woods', 100, [{ id: 9, text: 'Woods' }]),
  page('Vorlage:Box', 10, [{ id: 10, text: '<b>{{{1}}}</b>' }]),
  page(
    'Datei:Oak.png',
    6,
    [{ id: 11, text: 'A picture.' }],
    `<upload><timestamp>${day(11)}</timestamp><contributor><username>Fred</username></contributor><filename>Oak.png</filename><contents encoding="base64">${pixel}</contents></upload>`,
  ),
  page('Elms', 0, [
    { id: 12, text: 'Was a page once.' },
    { id: 13, text: '#REDIRECT [[Elm]]' },
  ]),
];

describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  test('a dump becomes pages with every revision, author and time; a second run adds what is new', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    const source = plant(wiki, 'trees.xml', dump(trees));
    const first = await wiki.coppice(['import', source, '--parent', '/trees', '--keep-urls', '--json']);
    expect(first.err).toBe('');
    const certificate = JSON.parse(first.out) as Certificate;
    expect(certificate.numbers).toMatchObject({
      source: { pages: 9, revisions: 13, authors: 3, files: 1, redirects: 1 },
      result: { pages: 9, authors: 3, files: 1, redirects: 1 },
    });
    expect(certificate.links).toMatchObject({ dead: 1, lost: 0 });
    expect(certificate.links.list).toContainEqual({ old: 'Missing', new: null, count: 1 });
    expect(certificate.links.list).toContainEqual({ old: 'oak tree', new: '/trees/oak', count: 1 });

    const whole = await historyOf(wiki, '/trees/oak');
    expect(whole.slice(0, 3)).toEqual([
      { at: Date.parse(day(1)), editor: 'Wilma', msg: 'first words', body: oak[0]?.text },
      { at: Date.parse(day(2)), editor: '192.0.2.7', msg: '', body: oak[1]?.text },
      { at: Date.parse(day(3)), editor: 'Fred', msg: 'links', body: oak[2]?.text },
    ]);
    // An additional change points the links to the imported pages.
    expect(whole).toHaveLength(4);
    expect(whole[3]).toMatchObject({ editor: 'Ada Lovelace', at: Date.parse(day(3)) });
    const html = await markup(wiki, '/trees/oak');
    expect(html).toContain('<a href="/trees/oak">oak tree</a>');
    expect(html).toContain('href="/trees/elm#Bark"');
    expect(html).toContain('<a href="/trees/portal/woods">Portal:Woods</a>');
    expect(html).toContain('<a href="/trees/oak/leaf">/Leaf</a>');
    expect(html).toContain('<b>x</b>');
    expect(html).toMatch(/<img[^>]+src="\/files\/[^"]*Oak/);
    expect(await markup(wiki, '/trees/oak/leaf')).toContain('<a href="/trees/oak">../</a> lies &amp;c.');
    expect(await markup(wiki, '/trees/elm')).toContain('href="/trees/talk/oak"');
    expect(await tagsOf(wiki, '/trees/oak')).toEqual({ category: ['Trees'] });
    expect(await movedTo(wiki, '/trees/oak-tree')).toBe('/trees/oak');
    expect(await movedTo(wiki, '/wiki/Talk:Oak')).toBe('/trees/talk/oak');
    // The page had its own history before it became a redirect; the history stays.
    expect(await historyOf(wiki, '/trees/elms')).toHaveLength(2);
    expect(await wiki.coppice(['check'])).toMatchObject({ code: 0 });

    const again = JSON.parse((await wiki.coppice(['import', source, '--parent', '/trees', '--json'])).out);
    expect(again.pages).toEqual({ created: 0, changed: 0, unchanged: 9 });
    const longer = trees.map((text) =>
      text.includes('<title>Oak</title>') ? page('Oak', 0, [...oak, { id: 14, text: 'Now a shrub.' }]) : text,
    );
    plant(wiki, 'trees.xml', dump([...longer, page('Ash', 0, [{ id: 15, text: 'New' }])]));
    const third = JSON.parse((await wiki.coppice(['import', source, '--parent', '/trees', '--json'])).out);
    expect(third.pages).toEqual({ created: 1, changed: 1, unchanged: 8 });
    expect((await historyOf(wiki, '/trees/oak')).at(-1)).toMatchObject({
      body: 'Now a shrub.',
      editor: 'Wilma',
    });
    expect(await wiki.coppice(['check'])).toMatchObject({ code: 0 });
  });
});

test('template calls use the templates of the source, and no others', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const calls = '{{leaf}} {{Gallery}} {{Oak}} {{PAGENAME}} {{!}} {{{Oak}}} {{#if:x|{{Oak}}}}';
  const source = plant(
    wiki,
    'trees.xml',
    dump([
      page('Ash', 0, [{ id: 1, text: calls }]),
      page('Oak', 0, [{ id: 2, text: 'An oak. {{Oak}}' }]),
      page('PAGENAME', 0, [{ id: 3, text: 'A word.' }]),
      page('Vorlage:Leaf', 10, [{ id: 4, text: '#REDIRECT [[Vorlage:Box]]' }]),
      page('Vorlage:Box', 10, [{ id: 5, text: 'in a box' }]),
      page('Vorlage:Gallery', 10, [{ id: 6, text: 'some pictures' }]),
    ]),
  );
  expect(await wiki.coppice(['import', source])).toMatchObject({ code: 0, err: '' });
  expect((await historyOf(wiki, '/ash')).at(-1)?.body).toBe(
    calls.replace('{{Gallery', '{{Template:Gallery').replaceAll(/(?<!\{)\{\{Oak/g, '{{/template/oak'),
  );
  const text = (await markup(wiki, '/ash')).replace(/<[^>]*>/g, '');
  expect(text).toContain('in a box some pictures');
  expect(text).not.toContain('An oak.');
});

test('links with generated titles stay links, and links to other languages become tags', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const source = plant(
    wiki,
    'trees.xml',
    dump([
      page('Oak', 0, [{ id: 1, text: '{{links|Woods}} [[fr:Chêne]] [[xyz:Oak]]' }]),
      page('Portal:Woods', 100, [{ id: 2, text: 'Woods' }]),
      page('Vorlage:Links', 10, [
        {
          id: 3,
          text: '[[Portal:{{{1}}}]] [[Category:{{{1}}}]] [[Datei:{{{1}}}.png|mini]] [[Oak: {{{1}}}|o]]',
        },
      ]),
    ]),
  );
  expect(await wiki.coppice(['import', source])).toMatchObject({ code: 0, err: '' });
  expect((await historyOf(wiki, '/template/links')).at(-1)?.body).toBe(
    '[[:Portal:{{{1}}}]] [[Category:{{{1}}}]] [[File:{{{1}}}.png|mini]] [[Oak: {{{1}}}|o]]',
  );
  expect(await tagsOf(wiki, '/oak')).toEqual({ category: ['Woods'], fr: ['Chêne'] });
  const html = await markup(wiki, '/oak');
  expect(html).toContain('<a href="/portal/woods">Portal:Woods</a>');
  expect(html).toContain('>xyz:Oak</a>');
});

test('categories that templates set are tags, through redirects and conditions, and missing media are named', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const source = plant(
    wiki,
    'trees.xml',
    dump([
      page('Oak', 0, [{ id: 1, text: 'An {{tree|kind=oak}}. [[Media:None.pdf]] [[category:trees]]' }]),
      page('Elm', 0, [{ id: 2, text: 'An elm {{plain}}.' }]),
      page('Vorlage:Tree', 10, [{ id: 3, text: '#REDIRECT [[Vorlage:Baum]]' }]),
      page('Vorlage:Baum', 10, [
        { id: 4, text: '[[Category:Old]]' },
        {
          id: 5,
          text: 'oak{{#if:{{{kind|}}}|{{kind|{{{kind}}}}}}}<includeonly>[[Kategorie:Trees]]</includeonly><noinclude>[[Kategorie:Templates]]</noinclude>',
        },
      ]),
      page('Vorlage:Kind', 10, [{ id: 6, text: '[[Kategorie:{{ucfirst:{{{1}}}}}s|x]]' }]),
      page('Vorlage:Plain', 10, [{ id: 7, text: 'of {{none}}' }]),
    ]).replace('<namespace key="14">Category', '<namespace key="14">Kategorie'),
  );
  const { out, err } = await wiki.coppice(['import', source, '--json']);
  expect(err).toBe('');
  const { links, approximated, comparison } = JSON.parse(out) as Certificate;
  expect(links.list).toContainEqual({ old: 'Media:None.pdf', new: null, isFile: true, count: 1 });
  expect(approximated.list).toContainEqual({
    ...{ page: '/oak', construct: 'categories that templates set, now in the text' },
    ...{ before: '', after: '[[Category:Oaks]]' },
  });
  expect(await tagsOf(wiki, '/oak')).toEqual({ category: ['trees', 'Oaks'] });
  expect(await tagsOf(wiki, '/elm')).toEqual({});
  expect(comparison?.differing).toBe(0);
  expect(JSON.parse((await wiki.coppice(['import', source, '--json'])).out).pages).toMatchObject({
    changed: 0,
  });
});

test('authors cannot sign in, and become existing members only through the file of members', async () => {
  await using wiki = await startWiki();
  const { id } = await wiki.administrator();
  await wiki.coppice(['member', 'add', 'w@example.org', '--name', 'Wilma', '--no-passphrase']);
  const source = plant(wiki, 'trees.xml', dump([page('Oak', 0, oak)]));
  const mapping = plant(wiki, 'members.txt', '# Fred is Ada\nFred = ada@example.org\n');
  expect(await wiki.coppice(['import', source, '--members', mapping])).toMatchObject({ code: 0 });
  await using open = await wiki.open();
  const { members } = await open.store.members.list({ limit: 20, offset: 0 });
  const imported = members.filter(({ email }) => email.endsWith('.invalid'));
  expect(imported).toHaveLength(2);
  for (const member of imported)
    expect(member).toMatchObject({ isActive: false, isAdmin: false, passphraseHash: null });
  expect(imported.map(({ name }) => name)).toContainEqual(expect.stringMatching(/^Wilma \(imported /));
  const found = await open.store.readAsSystem().pages.findByPath('/oak');
  const { changes } = await open.store
    .readAsSystem()
    .changes.list(pageWith(found?.id ?? 0), { limit: 10, offset: 0 });
  expect(changes.find(({ content }) => content.msg === 'links')?.editor.id).toBe(id);
});

test('edits made here are merged with changes in the source, or reported', async () => {
  await using wiki = await startWiki();
  const { id } = await wiki.administrator();
  const lines = (one: string, two: string) => `${one}\n\nmiddle\n\n${two}`;
  const source = plant(
    wiki,
    'trees.xml',
    dump([
      page('Oak', 0, [{ id: 1, text: lines('a', 'b') }]),
      page('Elm', 0, [{ id: 2, text: lines('a', 'b') }]),
    ]),
  );
  await wiki.coppice(['import', source]);
  for (const path of ['/oak', '/elm']) await edit(wiki, id, path, { body: lines('here', 'b') });
  plant(
    wiki,
    'trees.xml',
    dump([
      page('Oak', 0, [
        { id: 1, text: lines('a', 'b') },
        { id: 3, text: lines('a', 'there') },
      ]),
      page('Elm', 0, [
        { id: 2, text: lines('a', 'b') },
        { id: 4, text: lines('there', 'b') },
      ]),
    ]),
  );
  const { code, out } = await wiki.coppice(['import', source, '--json']);
  expect(code).toBe(1);
  expect((JSON.parse(out) as Certificate).edited).toEqual([
    { path: '/oak', outcome: 'merged' },
    { path: '/elm', outcome: 'kept' },
  ]);
  expect((await historyOf(wiki, '/oak')).at(-1)?.body).toBe(lines('here', 'there'));
  expect((await historyOf(wiki, '/elm')).at(-1)?.body).toBe(lines('here', 'b'));
});

test('every compression and encoding of a dump is read', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const text = dump([page('Čiõk', 0, [{ id: 1, text: 'Дуб' }])], { version: '0.3' });
  const bytes = Buffer.from(text);
  const sixteen = Buffer.from(`\ufeff${text}`, 'utf16le');
  const cases: [string, Buffer][] = [
    ['gz', gzipSync(bytes)],
    ['zst', zstdCompressSync(bytes)],
    ['bz2', execFileSync('bzip2', { input: bytes })],
    ['utf16', sixteen],
    ['utf16be', Buffer.from(sixteen).swap16()],
  ];
  for (const [name, packed] of cases) {
    const source = plant(wiki, `dump.${name}`, packed);
    expect({ name, ...(await wiki.coppice(['import', source, '--parent', `/${name}`])) }).toMatchObject({
      name,
      code: 0,
    });
    expect((await historyOf(wiki, `/${name}/ciok`)).at(-1)?.body).toBe('Дуб');
  }
});

test('uploads are found in a folder, by name or in the hashed layout', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const files = join(wiki.folder, 'images');
  mkdirSync(join(files, 'a', 'ab'), { recursive: true });
  writeFileSync(join(files, 'a', 'ab', 'Old_oak.png'), Buffer.from(pixel, 'base64'));
  writeFileSync(join(files, 'Elm.png'), Buffer.from(pixel, 'base64'));
  const source = plant(
    wiki,
    'trees.xml',
    dump([
      page('Datei:Old oak.png', 6, [{ id: 1, text: 'old' }]),
      page('Datei:Elm.png', 6, [{ id: 2, text: 'elm' }]),
      page('Oak', 0, [{ id: 3, text: '[[File:Old_oak.png|thumb]]\n<gallery>\nElm.png|elm\n</gallery>' }]),
    ]),
  );
  const { out } = await wiki.coppice(['import', source, '--files', files]);
  expect(out).toContain('Files:      2 in the source, 2 here');
  expect([...(await markup(wiki, '/oak')).matchAll(/<img /g)]).toHaveLength(2);
});

test('a source that cannot be read is refused before anything is written', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const good = dump(trees);
  const cases: [string, string | Buffer, string][] = [
    ['cut.xml', good.slice(0, -40), 'The file is incomplete'],
    ['cut.xml.gz', gzipSync(good).subarray(0, 300), 'damaged or incomplete'],
    ['cut.xml.bz2', execFileSync('bzip2', { input: good }).subarray(0, 300), 'damaged or incomplete'],
    ['other.xml', '<rss></rss>', 'This is not a MediaWiki export'],
    ['empty.xml', dump([]), 'The source contains no page'],
    ['latin.xml', Buffer.from(good.replace('An oak.', 'é'), 'latin1'), 'damaged or incomplete'],
    ['text.txt', 'Hello', 'Give its kind with “from”'],
  ];
  for (const [name, content, sentence] of cases) {
    const outcome = await wiki.coppice(['import', plant(wiki, name, content)]);
    expect({ name, code: outcome.code, out: outcome.out }).toEqual({ name, code: 1, out: '' });
    expect(outcome.err, name).toContain(sentence);
  }
  await using open = await wiki.open();
  expect(await open.store.maintenance.counts()).toMatchObject({ pages: 0, changes: 0, members: 1 });
});

test('a dry run shows the tree and changes nothing', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const { code, out } = await wiki.coppice(['import', plant(wiki, 'trees.xml', dump(trees)), '--dry-run']);
  expect(code).toBe(0);
  expect(out).toContain('new    /oak/leaf  “Oak/Leaf”');
  expect(out).toContain('Nothing was changed');
  await using open = await wiki.open();
  expect(await open.store.maintenance.counts()).toMatchObject({ pages: 0, members: 1 });
});

test('an imported page whose address is taken gets another one, which the summary names', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const first = plant(wiki, 'first.xml', dump([page('Oak', 0, oak)]).replace('Trees<', 'Shrubs<'));
  await wiki.coppice(['import', first]);
  const second = plant(
    wiki,
    'trees.xml',
    dump([page('Oak', 0, oak), page('Search', 0, [{ id: 9, text: '[[Oak]]' }])]),
  );
  const { code, out } = await wiki.coppice(['import', second]);
  expect(code).toBe(0);
  expect(out).toContain('Elsewhere:  Oak: /oak is already used, so the page is at /oak-2');
  expect(await markup(wiki, '/search-2')).toContain('href="/oak-2"');
});

test('an interrupted import continues', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const history = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      id: i + 1,
      text: `${i} ${'x'.repeat(400_000)} [[Oak tree]]`,
    }));
  // The history does not fit into one transaction.
  const source = plant(wiki, 'trees.xml', dump([page('Oak', 0, history(12)), trees[2] ?? '']));
  expect(await wiki.coppice(['import', source])).toMatchObject({ code: 0 });
  expect(await historyOf(wiki, '/oak')).toHaveLength(13);
  plant(wiki, 'trees.xml', dump([page('Oak', 0, history(20)), trees[2] ?? '']));
  expect(await wiki.coppice(['import', source])).toMatchObject({ code: 0 });
  const bodies = (await historyOf(wiki, '/oak')).filter(({ msg }) => msg === '');
  expect(bodies.map(({ body }) => Number(body.split(' ', 1)[0]))).toEqual(
    Array.from({ length: 20 }, (_, i) => i),
  );
  expect(await wiki.coppice(['check'])).toMatchObject({ code: 0 });
});

/** Dumps of real wikis; not part of the project. */
test.runIf(process.env.COPPICE_CORPUS)(
  'the corpus imports with every revision and no lost link',
  async () => {
    await using wiki = await startWiki();
    await wiki.administrator();
    const folder = join(process.env.COPPICE_CORPUS ?? '', 'import/mediawiki');
    for (const [name, pages] of [
      ['enwiki-206-articles.xml.bz2', 106],
      ['bgwiki.xml.bz2', 3],
      ['revisions.xml', 2],
    ] as const) {
      const { code, out } = await wiki.coppice([
        'import',
        join(folder, name),
        '--parent',
        `/${name.slice(0, 2)}`,
        '--json',
      ]);
      expect(code).toBe(0);
      const { numbers, links } = JSON.parse(out) as Certificate;
      expect({ name, pages: numbers.result.pages, lost: links.lost }).toEqual({ name, pages, lost: 0 });
    }
  },
);

function plant(wiki: TestWiki, name: string, content: string | Buffer): string {
  const path = join(wiki.folder, name);
  writeFileSync(path, content);
  return path;
}

async function historyOf(wiki: TestWiki, path: string) {
  await using open = await wiki.open();
  const found = await open.store.readAsSystem().pages.findByPath(path);
  if (!found) throw new Error(`There is no page at ${path}.`);
  const { changes } = await open.store
    .readAsSystem()
    .changes.list(pageWith(found.id), { limit: 100, offset: 0 });
  return changes
    .map(({ at, editor, content }) => ({ at, editor: editor.name, msg: content.msg, body: content.body }))
    .reverse();
}

async function view(wiki: TestWiki, path: string) {
  await using open = await wiki.open();
  return await viewPage(
    { reader: open.store.readAs(null), renderer: createRenderer(''), now: Date.now() },
    path,
    { history: 'none' },
  );
}

async function markup(wiki: TestWiki, path: string): Promise<string> {
  const shown = await view(wiki, path);
  if (!('markup' in shown)) throw new Error(`${path} moved to ${shown.movedTo}.`);
  return shown.markup;
}

async function movedTo(wiki: TestWiki, path: string): Promise<string | undefined> {
  const shown = await view(wiki, path);
  return 'movedTo' in shown ? shown.movedTo : undefined;
}

async function tagsOf(wiki: TestWiki, path: string): Promise<Record<string, string[]>> {
  await using open = await wiki.open();
  return (await open.store.readAsSystem().pages.loadByPath(path, 'none'))?.tags ?? {};
}

test('addresses with question marks redirect to their pages, and links to the bytes of files work', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const uploads = join(wiki.folder, 'uploads');
  mkdirSync(uploads, { recursive: true });
  writeFileSync(join(uploads, 'List.pdf'), '%PDF-1.4 list');
  const source = plant(
    wiki,
    'why.xml',
    dump([
      page('Why?', 0, [
        {
          id: 1,
          text: '[[Media:List.pdf|the list]] [[Media:List.pdf]] [[:File:List.pdf]] [[Media:None.pdf|none]] <tabber>a</tabber>',
        },
      ]),
      page('File:List.pdf', 6, [{ id: 2, text: 'A list' }]),
    ]),
  );
  const { out, err } = await wiki.coppice(['import', source, '--files', uploads, '--keep-urls', '--json']);
  expect(err).toBe('');
  expect((JSON.parse(out) as Certificate).approximated.byConstruct).toMatchObject({
    'tag <tabber>, which this wiki does not support': 1,
  });
  const html = await markup(wiki, '/why');
  expect(html).toMatch(/<a[^>]*href="\/files\/[^"]*list\.pdf"[^>]*>the list<\/a>/i);
  expect(html).toMatch(/<a[^>]*href="\/files\/[^"]*list\.pdf"[^>]*>Media:List\.pdf<\/a>/i);
  await using open = await wiki.open();
  const reader = open.store.readAs(null);
  expect(await findMoved(reader, '/wiki/Why?')).toBe('/why');
});
