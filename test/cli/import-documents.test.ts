/** `coppice import` of folders and zips of Markdown: Obsidian, Wiki.js, MkDocs and plain ones, and malicious archives. */
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Certificate } from '#import/certificate.ts';
import { engines, startWiki, type TestWiki } from '../support/cli.ts';
import { effort } from '../support/effort.ts';
import { childrenOf, edit, load, markup, pixel, plant } from '../support/import-source.ts';
import { type ZipEntry, zipOf } from '../support/zip.ts';

const vault = {
  '.obsidian/app.json': '{}',
  'Home.md':
    '---\ntags: [start]\ntype: Guide\ncolour: green\n---\nSee [[Oak]], [[Trees/Elm#What grows?|elms]], [[Nowhere]] and ![[oak.png|30]].',
  'Trees/Oak.md':
    '# Oak tree\n\n`[[Elm]]` [[elm]] [[#Its bark]] [x](../Home.md) ![[Elm#^size]]\n\n```\n[[Elm]]\n```\n\n## Its *bark*\n',
  'Trees/Elm.md':
    '## What grows?\n\nLeaves. ^size\n\n[[Shrubs/Oak|the shrub]] [pdf](<../Attachments/a list.pdf>)',
  'Shrubs/Oak.md': 'A small oak.',
  'Own.md': '---\ncreated: 2020-01-01\nupdated: 2020-01-01\nauthor: Ada\n---\n{{Home}}\n',
  'List.md':
    '- a\n    - nested ^in\n        - deep\n\n![[List#^in]]\n\n{{date}} {{{Home}}} {{< x >}} [note](obsidian://open?file=x) `{{x}}`',
  'Attachments/oak.png': pixel,
  'Attachments/a list.pdf': '%PDF-1.4\n',
  'publish.css': 'a {}',
};

/** Writing is tested in `import.test.ts`, so one engine is enough, except before a release. */
describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  test('a vault becomes pages whose links, headings, embeds and files lead to the same targets', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    const folder = plant(wiki, vault);
    const { code, out } = await wiki.coppice(['import', folder, '--parent', '/vault', '--json']);
    expect(code).toBe(0);
    const certificate = JSON.parse(out) as Certificate;
    expect(certificate).toMatchObject({ kind: 'obsidian', links: { lost: 0, dead: 1 } });
    expect(certificate.links.list.filter((link) => link.new === null)).toEqual([
      { old: '[[Nowhere]]', new: null, count: 1 },
    ]);
    expect(certificate.leftOut.list.map(({ source }) => source)).toEqual(['publish.css']);

    const home = await markup(wiki, '/vault/home');
    // Two notes have this name: the shortest path wins, as in Obsidian.
    expect(home).toContain('<a href="/vault/trees/oak">Oak</a>');
    expect(home).toContain('href="/vault/trees/elm#what-grows">elms</a>');
    expect(home).toMatch(/<img[^>]+src="\/files\/[^"]*oak/);
    const oak = await markup(wiki, '/vault/trees/oak');
    expect(oak).toContain('<code>[[Elm]]</code>');
    expect(oak).toContain('<a href="/vault/trees/elm">elm</a>');
    expect(oak).toContain('<a href="#its-bark">');
    expect(oak).toContain('<a href="/vault/home">x</a>');
    expect(oak).toContain('<p>Leaves.');
    // An export of this wiki calls its templates.
    expect(await markup(wiki, '/vault/own')).not.toContain('{{');
    const list = await markup(wiki, '/vault/list');
    expect(list).toMatch(/class="page-embed">\s*<ul><li>nested\s*<ul><li>deep/);
    expect(list).toContain('<p>{{date}} {{{Home}}} {{&lt; x &gt;}} note <code>{{x}}</code></p>');
    expect(certificate.approximated.byConstruct).toMatchObject({
      'double braces, shown as text': 2,
      'address with “obsidian:”, which this wiki does not link': 1,
    });
    const elm = await markup(wiki, '/vault/trees/elm');
    expect(elm).toContain('<a href="/vault/shrubs/oak">the shrub</a>');
    expect(elm).toMatch(/href="\/files\/[^"]*a-list\.pdf"/);
    const whole = await load(wiki, '/vault/home');
    expect(whole).toMatchObject({ type: 'Guide', tags: { tag: ['start'] }, title: 'Home' });
    expect(await wiki.coppice(['check'])).toMatchObject({ code: 0 });

    const again = JSON.parse((await wiki.coppice(['import', folder, '--parent', '/vault', '--json'])).out);
    expect(again.pages).toMatchObject({ created: 0, changed: 0 });
    plant(wiki, { 'Shrubs/Oak.md': 'A small oak, indeed.', 'Nowhere.md': 'Now here.' });
    const third = JSON.parse((await wiki.coppice(['import', folder, '--parent', '/vault', '--json'])).out);
    expect(third).toMatchObject({ pages: { created: 1, changed: 1 }, links: { dead: 0 } });
    expect(await markup(wiki, '/vault/home')).toContain('<a href="/vault/nowhere">Nowhere</a>');
  });
});

test('edits made here are merged with changes in the folder, or reported', async () => {
  await using wiki = await startWiki();
  const { id } = await wiki.administrator();
  const folder = plant(wiki, { 'a.md': 'one\n\nmiddle\n\ntwo', 'b.md': 'one\n\nmiddle\n\ntwo' });
  await wiki.coppice(['import', folder]);
  for (const path of ['/a', '/b']) await edit(wiki, id, path, { body: 'here\n\nmiddle\n\ntwo' });
  plant(wiki, { 'a.md': 'one\n\nmiddle\n\nthere', 'b.md': 'there\n\nmiddle\n\ntwo' });
  const { code, out } = await wiki.coppice(['import', folder, '--json']);
  expect(code).toBe(1);
  expect((JSON.parse(out) as Certificate).edited).toEqual([
    { path: '/a', outcome: 'merged' },
    { path: '/b', outcome: 'kept' },
  ]);
  expect((await load(wiki, '/a'))?.content.body).toBe('here\n\nmiddle\n\nthere');
});

test('the git storage of Wiki.js keeps its paths, boxes, picture sizes and unpublished pages', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const front = (title: string, published = true) =>
    `---\ntitle: ${title}\ndescription: About ${title}\npublished: ${published}\ndate: 2020-05-01T10:00:00.000Z\ntags: park, wood\neditor: markdown\ndateCreated: 2019-04-29T00:57:43.566Z\n---\n\n`;
  const folder = plant(wiki, {
    'trees.md': `${front('Trees')}# Tabs {.tabset}\n\n> Careful.\n{.is-warning}\n\n[oak](/trees/oak) [too](/en/trees/oak#leaf) ![](/assets/oak.png =20x30)`,
    'trees/oak.md': `${front('The oak', false)}## Leaf\n`,
    'trees/elm.html': `<!--\ntitle: The elm: "tall"\npublished: false\neditor: ckeditor\n-->\n<h2 class="toc-header" id="bark"><a href="#bark" class="toc-anchor">¶</a> Bark</h2><p><a href="/trees/oak">oak</a></p>`,
    'assets/oak.png': pixel,
  });
  const { out } = await wiki.coppice(['import', folder, '--json']);
  expect(JSON.parse(out)).toMatchObject({
    kind: 'wikijs',
    links: { dead: 0, lost: 0 },
    approximated: { byConstruct: { box: 1, class: 1, 'size of a picture': 1 } },
  });
  const trees = await load(wiki, '/trees');
  expect(trees).toMatchObject({
    title: 'Trees',
    description: 'About Trees',
    tags: { tag: ['park', 'wood'] },
  });
  expect(trees?.updatedAt).toBe(Date.parse('2020-05-01T10:00:00.000Z'));
  expect(trees?.content.body).toContain('> [!warning]\n> Careful.');
  expect(trees?.content.body).toContain('[too](/trees/oak#leaf) ![|20x30](/assets-2/oak.png)');
  expect((await load(wiki, '/trees/oak'))?.permissions).toBe(700);
  // A page of the visual editor is no file that readers of its folder could open.
  const elm = await load(wiki, '/trees/elm');
  expect(elm).toMatchObject({ title: 'The elm: "tall"', permissions: 700 });
  expect(elm?.content.body).toMatch(/## Bark \{#bark\}\n\n\[oak\]\(\/trees\/oak\)/);
  expect(await markup(wiki, '/trees')).toMatch(/<img[^>]+width="20"/);
});

test('sites of MkDocs, Docusaurus, Hugo and Jekyll are recognised, and their addresses redirect', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const sites: [string, Record<string, string | Buffer>, string, string][] = [
    [
      'mkdocs',
      {
        'mkdocs.yml': 'nav:\n  - guide/start.md',
        'docs/index.md': '[g](guide/start.md#go) ![](img/a.png)',
        'docs/guide/start.md': '# Start\n\n## Go\n',
        'docs/img/a.png': pixel,
      },
      'home',
      'guide/start#go',
    ],
    [
      'docusaurus',
      {
        'docusaurus.config.js': '',
        'blog/2021-08-26-first.md': 'First',
        'blog/2022-01-03-second/index.md': 'Second',
        'versioned_docs/version-1.0/intro.md': 'Old',
        'docs/01-intro.md': '[n](./02-next.mdx) [p](guide/part.md) ![](/img/a.png)',
        'docs/guide/_category_.json': '{"label": "The guide", "position": 3}',
        'docs/guide/part.md': 'Part',
        'docs/02-next.mdx': '---\ntitle: Next\nsidebar_position: 2\n---\nimport X from "x";\n',
        'static/img/a.png': pixel,
      },
      'intro',
      'next',
    ],
    [
      'hugo',
      {
        'hugo.toml': '',
        'content/_index.md': '[p]({{< ref "posts/first.md" >}}) ![](/a.png)',
        'content/posts/first.md': '---\nweight: 3\n---\nFirst',
        'static/a.png': pixel,
      },
      'home',
      'posts/first',
    ],
    [
      'jekyll',
      {
        '_config.yml': '',
        'index.md': '[p]({% link docs/a.md %}) ![]({{ site.baseurl }}/a.png)',
        'docs/a.md': '---\ntitle: A\n---\nA',
        'about.html': '---\ntitle: About\n---\n<p>{{ page.title }} <b>it</b></p>',
        'copied.html': '<p>Copied</p>',
        '_posts/2999-01-02-later-on.md': 'Later',
        'a.png': pixel,
      },
      'home',
      'docs/a',
    ],
  ];
  for (const [kind, files, from, to] of sites) {
    const { out } = await wiki.coppice([
      'import',
      plant(wiki, files, kind),
      '--parent',
      `/${kind}`,
      '--json',
    ]);
    const { links, ...certificate } = JSON.parse(out) as Certificate;
    expect(certificate.kind).toBe(kind);
    expect({ kind, dead: links.dead, lost: links.lost }).toEqual({ kind, dead: 0, lost: 0 });
    const html = await markup(wiki, `/${kind}/${from}`);
    expect(html).toContain(`href="/${kind}/${to}"`);
    expect(html, kind).toMatch(/<img[^>]+src="\/files\//);
    expect(JSON.stringify(certificate.leftOut), kind).not.toContain('order');
  }
  expect((await load(wiki, '/docusaurus/guide'))?.title).toBe('The guide');
  // The newest post comes first.
  expect(await childrenOf(wiki, '/docusaurus/blog')).toEqual([
    '/docusaurus/blog/second',
    '/docusaurus/blog/first',
  ]);
  expect((await load(wiki, '/docusaurus/1-0/intro'))?.content.body).toBe('Old');
  expect((await load(wiki, '/jekyll/about'))?.content.body).toContain('About **it**');
  expect(await load(wiki, '/jekyll/copied')).toBeUndefined();
  // Posts of the future are not published.
  expect(await load(wiki, '/jekyll/posts/2999-01-02-later-on')).toMatchObject({
    title: 'later on',
    permissions: 700,
  });
  expect((await load(wiki, '/hugo/posts/first'))?.content.body).toContain('weight: 3');
});

test('a zip is read like its folder, and unsafe entries are left out or refused', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const write = (name: string, entries: ZipEntry[]) => {
    writeFileSync(join(wiki.folder, name), zipOf(entries));
    return join(wiki.folder, name);
  };
  const good = write('vault.zip', [
    ...Object.entries(vault).map(([name, content]) => ({ name: `vault-main/${name}`, content })),
    { name: 'vault-main/passwd.md', content: '/etc/passwd', mode: 0o120777 },
  ]);
  const { code, out } = await wiki.coppice(['import', good, '--json']);
  expect(code).toBe(0);
  const certificate = JSON.parse(out) as Certificate;
  expect(certificate).toMatchObject({ kind: 'obsidian', links: { lost: 0, dead: 1 } });
  expect(certificate.leftOut.list).toContainEqual({
    source: 'vault-main/passwd.md',
    why: 'it is a symbolic link',
  });
  expect(await markup(wiki, '/home')).toContain('href="/trees/oak"');

  const before = await counts(wiki);
  for (const [name, entries] of [
    ['up.zip', [{ name: '../../up.md', content: 'x' }]],
    ['absolute.zip', [{ name: '/etc/x.md', content: 'x' }]],
    ['lying.zip', [{ name: 'x.md', content: 'x', declaredBytes: 50 }]],
    [
      'bomb.zip',
      Array.from({ length: 6 }, (_, i) => ({ name: `${i}.md`, content: 'x', declaredBytes: 4_000_000_000 })),
    ],
  ] as [string, ZipEntry[]][]) {
    const outcome = await wiki.coppice(['import', write(name, entries), '--from', 'markdown']);
    expect({ name, code: outcome.code, out: outcome.out }).toEqual({ name, code: 1, out: '' });
  }
  const cut = join(wiki.folder, 'cut.zip');
  writeFileSync(cut, zipOf([{ name: 'a.md', content: 'a' }]).subarray(0, 40));
  expect(await wiki.coppice(['import', cut])).toMatchObject({ code: 1, out: '' });
  expect(await counts(wiki)).toEqual(before);
});

test('links that lead out of a folder are not followed', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const folder = plant(wiki, { 'a.md': '[up](../../../etc/passwd) ![](../secret.png)' });
  symlinkSync('/etc', join(folder, 'etc'));
  const { out } = await wiki.coppice(['import', folder, '--json']);
  const { links, leftOut } = JSON.parse(out) as Certificate;
  expect(links).toMatchObject({ dead: 2, resolved: 0 });
  expect(leftOut.list).toEqual([{ source: 'etc', why: 'it is a symbolic link' }]);
});

/** The manuals of Obsidian and Wiki.js; not part of the project. */
test.runIf(process.env.COPPICE_CORPUS).each([
  ['obsidian/vault', 'obsidian', 10],
  ['wikijs', 'wikijs', 34],
] as const)('%s of the corpus imports without a lost link', async (name, kind, dead) => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const { code, out } = await wiki.coppice([
    'import',
    join(process.env.COPPICE_CORPUS ?? '', 'import', name),
    '--json',
  ]);
  expect(code).toBe(0);
  // Every dead link is dead in the source, too: examples and missing files.
  expect(JSON.parse(out)).toMatchObject({ kind, links: { lost: 0, dead } });
});

async function counts(wiki: TestWiki) {
  await using open = await wiki.open();
  return await open.store.maintenance.counts();
}

test('pictures within texts become files of their pages, and frames become links', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const data = `data:image/png;base64,${pixel.toString('base64')}`;
  const folder = plant(wiki, {
    'a/Oak.md': `![An oak](${data}) <img src="${data}" alt="again">\n\n\`![](${data})\`\n\n<iframe width="5" src="https://video.example/1?a=b&amp;c"></iframe>`,
    'a/Drawn.md': `![x](data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E) <img alt="y" src='data:image/svg+xml;utf8,<svg xmlns="http://www.w3.org/2000/svg" id="b"/>'>`,
    'a/Bad.md': '![x](data:image/png;base64,AAAA) ![y](data:text/html;base64,PHNjcmlwdD4=)',
    'a/Media.md': `<div>\n<iframe src="//video.example/2" title="A film"></iframe>\n<video controls><source src="film.mp4"></video>\n</div>\n\nA <object data="oak.png"><p>none</p></object> \`<video src="film.mp4">\` <embed src="other.pdf"> <a title="a" href="Oak.md">oak</a>`,
    'a/film.mp4': Buffer.from('000000186674797069736f6d0000020069736f6d', 'hex'),
    'a/oak.png': pixel,
    'a/other.pdf': '%PDF-1.4',
  });
  const { out } = await wiki.coppice(['import', folder, '--from', 'markdown', '--json']);
  const certificate = JSON.parse(out) as Certificate;
  expect(certificate.approximated.byConstruct).toMatchObject({
    'tag <iframe>, now a link': 2,
    'tag <video>, now a file': 1,
    'tag <object>, now a file': 1,
    'tag <embed>, now a link': 1,
  });
  expect(certificate.approximated.byConstruct).toMatchObject({ 'picture within the text, now a file': 5 });
  expect((await markup(wiki, '/a/drawn')).match(/<img[^>]* src="\/files\/[^"]*\.svg"/g)).toHaveLength(2);
  const media = await markup(wiki, '/a/media');
  expect(media).toMatch(/<video[^>]* src="\/files\/[^"]*film\.mp4"/);
  expect(media).toMatch(/<img[^>]* src="\/files\/[^"]*oak\.png"/);
  expect(media).toMatch(/<a[^>]* href="\/files\/[^"]*other\.pdf">other\.pdf<\/a>/);
  expect(media).toContain('href="https://video.example/2">A film</a>');
  expect(media).toMatch(/href="\/a\/oak"[^>]*>oak</);
  const oak = await markup(wiki, '/a/oak');
  const file = /<img[^>]*src="(\/files\/[^"]*picture-[\da-f]{12}\.png)"/.exec(oak)?.[1];
  expect(file).toBeDefined();
  expect(oak.split(`src="${file}"`)).toHaveLength(3);
  expect(oak).toContain('<code>![](data:image/png;base64,');
  expect(oak).toContain('href="https://video.example/1?a=b&amp;c"');
  const site = plant(wiki, { 'Elm.html': `<h1>Elm</h1><p><img src="${data}" alt="An elm">` }, 'site');
  expect((await wiki.coppice(['import', site, '--from', 'html', '--parent', '/s'])).err).toBe('');
  expect(await markup(wiki, '/s/elm')).toMatch(/<img[^>]*src="\/files\/[^"]*picture-[^"]*"/);
  expect(await markup(wiki, '/a/bad')).not.toContain('<script');
});
