/** `coppice import` of HTML, and of what Notion, Outline, BookStack and GitBook export. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Certificate } from '#import/certificate.ts';
import { engines, startWiki, type TestWiki } from '../support/cli.ts';
import { effort } from '../support/effort.ts';
import { load, markup, pixel, plant } from '../support/import-source.ts';
import { zipOf } from '../support/zip.ts';

async function imported(wiki: TestWiki, source: string, ...more: string[]): Promise<Certificate> {
  const { code, out, err } = await wiki.coppice(['import', source, '--json', ...more]);
  expect(code, err + out).toBe(0);
  return JSON.parse(out);
}

/** Writing is tested in `import.test.ts`, so one engine is enough, except before a release. */
describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  test('a folder or zip of HTML becomes a tree of pages whose links, headings, tables and pictures are kept', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    const files = {
      'index.html':
        '<!doctype html><title>Trees of the valley</title><nav><a href="x.html">skip</a></nav><p>See <a href="trees/oak.html#its-bark">bark</a>, <a href="trees/">all</a>, <a href="gone.html">gone</a> and <a href="https://example.org/">out</a>.</p><script>alert(1)</script>',
      'trees/index.html':
        '<title>x</title><main><h1>All <em>trees</em></h1><ul><li>a<ul><li>b</ul></ul></main>',
      'trees/oak.html':
        '<meta charset="windows-1252"><h1>Oak</h1><h2 id="its-bark">The bark</h2><table><tr><td>Height<td>30 m</table><p><img src="../img/oak.png" alt="An oak"> H<sub>2</sub>O [[no link]] {{no call}} <code>{{x}}</code><pre><code class="language-js">let a;\n</code></pre>',
      'img/oak.png': pixel,
      'style.css': 'a {}',
    };
    const certificate = await imported(wiki, plant(wiki, files), '--parent', '/site');
    expect(certificate).toMatchObject({
      kind: 'html',
      links: { dead: 1, lost: 0 },
      numbers: { result: { pages: 3 } },
    });
    expect(certificate.leftOut.list).toEqual([
      { source: 'index.html', why: 'the content of its elements script' },
      { source: 'style.css', why: expect.stringContaining('program') },
    ]);
    const home = await markup(wiki, '/site/home');
    expect((await load(wiki, '/site/home'))?.title).toBe('Trees of the valley');
    expect(home).toContain('href="/site/trees/oak#its-bark">bark</a>');
    expect(home).toContain('href="/site/trees">all</a>');
    expect(home).not.toMatch(/skip|alert/);
    expect((await load(wiki, '/site/trees'))?.title).toBe('All trees');
    const oak = await markup(wiki, '/site/trees/oak');
    expect(oak).toMatch(/<h2 id="its-bark">/);
    expect(oak).toMatch(/<img[^>]+src="\/files\/[^"]*oak/);
    expect(oak).toMatch(/<th[^>]*>Height<\/th>/);
    expect(oak).toContain('H<sub>2</sub>O [[no link]] {{no call}}');

    const zip = join(wiki.folder, 'site.zip');
    writeFileSync(
      zip,
      zipOf(Object.entries(files).map(([name, content]) => ({ name: `site/${name}`, content }))),
    );
    expect((await imported(wiki, zip, '--parent', '/site')).pages).toMatchObject({ created: 0, changed: 0 });
  });
});

test('tables keep their rows and words, whatever their cells contain, and formulas their TeX', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const folder = plant(wiki, {
    'beds.html':
      '<h1>Beds</h1><table><caption>By season</caption><tr><th>bed<th>what grows<tr><td>first<td><ul><li>roses<li>ivy<ul><li>common</ul></ul><tr><td>second<td><p>leeks</p><p>beans</p><tr><td>third<td>oats<br>rye<tr><td>last<td><pre>a | b\nc</pre></table><p>Area <math><msqrt><mi>a</mi></msqrt></math>.',
  });
  const certificate = await imported(wiki, folder);
  expect(certificate.approximated).toMatchObject({ byConstruct: { 'blocks in a table cell, now lines': 3 } });
  const shown = await markup(wiki, '/beds');
  expect(shown.match(/<tr/g)).toHaveLength(5);
  expect(shown.match(/<table/g)).toHaveLength(1);
  expect(shown).toContain('• roses<br>• ivy<br>\u00a0\u00a0• common');
  expect(shown).toContain('leeks<br>beans');
  expect(shown).toContain('oats<br>rye');
  expect(shown).toMatch(/<code[^>]*>a \| b<\/code><br><code/);
  expect(shown).toContain('<strong>By season</strong>');
  expect(shown).toContain('<span class="math"><code>\\sqrt{a}</code></span>');
});

test('endlessly nested HTML, or HTML in an unknown encoding, is refused by name and affects nothing else', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const folder = plant(wiki, {
    'deep.html': '<div>'.repeat(100_000),
    'bytes.html': Buffer.from([0x3c, 0x70, 0x3e, 0xff, 0xfe]),
    'good.html': '<p>Good',
  });
  const { code, out } = await wiki.coppice(['import', folder, '--json']);
  expect(code).toBe(1);
  expect(
    (JSON.parse(out) as Certificate).leftOut.list.map(({ source, isRefusal }) => [source, isRefusal]),
  ).toEqual([
    ['bytes.html', true],
    ['deep.html', true],
  ]);
  expect((await load(wiki, '/good'))?.content.body).toBe('Good');
});

test('an export of Notion gives pages without IDs in their names, and databases as pages with data', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(32));
  const folder = plant(wiki, {
    [`Garden ${a}.md`]: `# Garden\n\nSee [Oak](Garden%20${a}/Trees%20${b}/Oak%20${c}.md), [Trees](Garden%20${a}/Trees%20${b}.csv).\n\n![oak](Garden%20${a}/oak.png)\n`,
    [`Garden ${a}/oak.png`]: pixel,
    [`Garden ${a}/Trees ${b}.csv`]: '\uFEFFName,Height\nOak,30\n',
    [`Garden ${a}/Trees ${b}_all.csv`]:
      '\uFEFFName,Height,Note\nOak,30,"tall, ""old""\nand | wide"\nElm,20,\n',
    [`Garden ${a}/Trees ${b}/Oak ${c}.md`]: `# Oak\n\nHeight: 30\nNote: tall: old\n\nBack to [Garden](../../Garden%20${a}.md).\n`,
    [`Garden ${a}/Trees ${b}/Elm ${d}.md`]: '# Elm\n\nHeight: 20\n',
    [`Garden ${a}/Beds ${'8'.repeat(32)}.csv`]: 'Name,Size\nRose #1,2\nRose #1,1\n',
    [`Garden ${a}/Beds/Rose #1 ${'e'.repeat(32)}.md`]: '# Rose #1\n\nSize: 1\n',
    [`Garden ${a}/Beds/Rose #1 ${'f'.repeat(32)}.md`]: `# Rose #1\n\nSize: 2\n\n[oak](https://www.notion.so/Oak-${c}?pvs=21#${'1'.repeat(32)}) [else](https://www.notion.so/Else-${'9'.repeat(32)})\n`,
  });
  const certificate = await imported(wiki, folder);
  expect(certificate).toMatchObject({ kind: 'notion', links: { dead: 0, lost: 0 }, leftOut: { list: [] } });
  expect(await markup(wiki, '/garden')).toMatch(
    /href="\/garden\/trees\/oak">Oak<[\s\S]*href="\/garden\/trees">Trees<[\s\S]*<img/,
  );
  // Pages of the same name are told apart by their properties, and addresses at Notion lead to the pages that were exported.
  expect(await markup(wiki, '/garden/beds')).toMatch(/beds\/rose-1-2">Rose #1<[\s\S]*beds\/rose-1">Rose #1</);
  expect(await markup(wiki, '/garden/beds/rose-1-2')).toMatch(
    /href="\/garden\/trees\/oak">[\s\S]*href="https:\/\/www/,
  );
  const table = await markup(wiki, '/garden/trees');
  expect(table).toMatch(/href="\/garden\/trees\/oak">Oak<\/a>/);
  expect(table).toContain('tall, "old"<br>and | wide');
  const oak = await load(wiki, '/garden/trees/oak');
  expect(oak).toMatchObject({ title: 'Oak', content: { data: { Height: '30', Note: 'tall: old' } } });
  expect(oak?.content.body).not.toContain('Height');
  expect(await markup(wiki, '/garden/trees/oak')).toContain('href="/garden">Garden</a>');

  const html = plant(
    wiki,
    {
      [`Bed ${a}.html`]: `<title>Bed</title><article><h1>Bed</h1><a href="Bed%20${a}/Rose%20${b}.html">Rose</a></article>`,
      [`Bed ${a}/Rose ${b}.html`]: '<h1>Rose</h1>',
    },
    'html',
  );
  expect(await imported(wiki, html)).toMatchObject({ kind: 'notion', links: { dead: 0, resolved: 1 } });
  expect(await markup(wiki, '/bed')).toContain('href="/bed/rose">Rose</a>');
});

test('callouts and to-dos of Notion become boxes and tasks, and its index page becomes no front page', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const [a, b] = ['a', 'b'].map((digit) => digit.repeat(32));
  const html = plant(wiki, {
    'index.html': `<title>Export</title><ul><li><a href="Bed%20${a}.html">Bed</a></ul>`,
    [`Bed ${a}.html`]:
      '<article><h1>Bed</h1><figure class="block-color-gray callout"><div style="font-size:1.5em"><span class="icon">💡</span></div><div>Water it.</div></figure><ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">Dig</span></li></ul><ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span class="to-do-children-unchecked">Plant</span></li></ul></article>',
    [`Rose ${b}.md`]:
      '# Rose\n\n<aside>\n💡 Prune it.\n\n- in spring\n\n</aside>\n\n- [x] Bought\n\n```\n<aside>\n```\n',
  });
  const certificate = await imported(wiki, html);
  expect(certificate.kind).toBe('notion');
  expect(certificate.leftOut.list).toEqual([
    { source: 'index.html', why: expect.stringContaining('program') },
  ]);
  await expect(markup(wiki, '/home')).rejects.toThrow();
  const bed = await markup(wiki, '/bed');
  expect(bed).toMatch(/class="[^"]*note[^"]*"[\s\S]*💡[\s\S]*Water it\./);
  expect(bed).toMatch(/<input[^>]*checked[^>]*>\s*Dig/);
  expect(bed).toMatch(/<input(?![^>]*checked)[^>]*>\s*Plant/);
  const rose = await markup(wiki, '/rose');
  expect(rose).toMatch(/class="[^"]*note[^"]*"[\s\S]*💡 Prune it\.[\s\S]*<li>in spring<\/li>/);
  expect(rose).toMatch(/<pre>[\s\S]*&lt;aside&gt;/);
});

test('Markdown that Outline, BookStack and GitBook export keeps its tree, links and attachments', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const exports: Record<string, Record<string, string | Buffer>> = {
    outline: {
      'Garden/Trees.md': '# Trees\n\n[Oak](./Trees/Oak.md) ![](uploads/1f/oak.png)\n',
      'Garden/Trees/Oak.md': '# Oak\n\n[up](../Trees.md)\n',
      'Garden/uploads/1f/oak.png': pixel,
    },
    bookstack: {
      'trees/oak.md': '# Oak\n\n[elm](elm.md) [pdf](files/list.pdf)\n',
      'trees/elm.md': '# Elm\n\n![](../images/elm.png)\n',
      'trees/files/list.pdf': '%PDF-1.4\n',
      'images/elm.png': pixel,
    },
    gitbook: {
      'README.md': '# The book\n\n[Oak](trees/oak.md)\n',
      'SUMMARY.md':
        '# Table of contents\n\n* [The book](README.md)\n* [Trees](trees/README.md)\n  * [Oak](trees/oak.md "The oak")\n',
      'trees/README.md': '# Trees\n',
      'trees/oak.md': '---\ndescription: About oaks\n---\n\n# Oak\n\n![](<../.gitbook/assets/an oak.png>)\n',
      '.gitbook/assets/an oak.png': pixel,
    },
  };
  for (const [name, files] of Object.entries(exports)) {
    const certificate = await imported(
      wiki,
      plant(wiki, files, name),
      '--from',
      'markdown',
      '--parent',
      `/${name}`,
    );
    expect({
      name,
      dead: certificate.links.list.filter((link) => link.new === null),
      lost: certificate.links.lost,
    }).toEqual({ name, dead: [], lost: 0 });
  }
  expect(await markup(wiki, '/outline/garden/trees')).toMatch(
    /href="\/outline\/garden\/trees\/oak">Oak<[\s\S]*<img[^>]+\/files\//,
  );
  expect(await markup(wiki, '/bookstack/trees/oak')).toMatch(
    /href="\/bookstack\/trees\/elm">elm<[\s\S]*\/files\/[^"]*list\.pdf/,
  );
  // Files of one folder are nested as SUMMARY.md lists them.
  const book = await imported(
    wiki,
    plant(
      wiki,
      {
        'book.toml': '[book]',
        'src/SUMMARY.md':
          '# Summary\n\n[Preface](preface.md)\n\n- [Zoo](zoo.md)\n    - [Ape](./ape.md)\n        - [Chimp](<deep/a chimp.md>)\n- [Draft]()\n    - [Cow](cow.md)\n\n## Insects\n\n- [Bee](bee.md)\n',
        'src/preface.md': '# Preface\n\n[ape](ape.md)\n',
        'src/zoo.md': '# Zoo\n',
        'src/ape.md': '# Ape\n\n[chimp](deep/a%20chimp.md)\n',
        'src/deep/a chimp.md': '# Chimp\n',
        'src/bee.md': '# Bee\n',
        'src/cow.md': '# Cow\n',
      },
      'book',
    ),
    '--parent',
    '/book',
  );
  expect(book).toMatchObject({ kind: 'mdbook', links: { dead: 0, lost: 0 } });
  expect(book.leftOut.list.map(({ source, why }) => [source, why.slice(0, 9)])).toEqual([
    ['book.toml', 'it belong'],
  ]);
  expect(await markup(wiki, '/book/zoo/ape')).toContain('href="/book/zoo/ape/a-chimp"');
  // A heading, and an item without a page, end the branch above them.
  expect(await load(wiki, '/book/cow')).toBeDefined();
  expect(await load(wiki, '/book/bee')).toBeDefined();
  expect(await markup(wiki, '/book/preface')).toContain('href="/book/zoo/ape"');
  expect(await markup(wiki, '/book/summary')).toContain('href="/book/bee"');

  expect(await markup(wiki, '/gitbook/summary')).toContain('href="/gitbook/trees/oak"');
  expect(await markup(wiki, '/gitbook/trees/oak')).toMatch(/<img[^>]+\/files\//);
  expect((await load(wiki, '/gitbook/trees/oak'))?.description).toBe('About oaks');
});
