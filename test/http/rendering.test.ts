/** Pages reflect changes of their dependencies at once, with a fixed number of queries. */
import { describe, expect, test } from 'vitest';
import { previewPage } from '#core/content/preview-page.ts';
import { createRenderer } from '#core/content/render.ts';
import type { AttachedFile } from '#core/model/page.ts';
import { viewPage } from '#core/pages/view-page.ts';
import { effort } from '../support/effort.ts';
import { engines } from '../support/postgres.ts';
import { wikiWith } from '../support/small-wiki.ts';

describe.each(effort(engines.slice(0, 1), engines))('%s', (_name, open) => {
  test('a wanted link becomes a normal link the moment its page exists, and follows it when it moves or is renamed', async () => {
    await using store = await open();
    const wiki = await wikiWith(store);
    await wiki.create('Start', 'To the [[Mill]].');
    expect(await wiki.markup('/start')).toContain('class="new"');
    await wiki.create('Mill', 'A mill.');
    expect(await wiki.markup('/start')).toContain('<a href="/mill">Mill</a>');
    await wiki.edit('/mill', { path: '/old/mill' });
    expect(await wiki.markup('/start')).toContain('<a href="/old/mill">Mill</a>');
    await wiki.edit('/old/mill', { title: 'Windmill' });
    expect(await wiki.markup('/start')).toContain('class="new"');
  });

  test('lookups of a preview are counted, and links beyond a limit are not looked up', async () => {
    await using store = await open();
    const wiki = await wikiWith(store);
    for (const title of ['Mill', 'Wheel', 'Pond']) await wiki.create(title, 'Text.');
    const counted: number[] = [];
    const lookups = { maxLinks: 2, spend: (names: number) => void counted.push(names) };
    const body = '{{#ifexist:Mill|[[Mill]]|}} [[Wheel]] [[Pond]] [[Mill]] [[File:a.png]]';
    const preview = await previewPage(
      store.readAs(null),
      { ...createRenderer('Test'), lookups },
      { body },
      1,
    );
    expect(counted).toEqual([1, 3]);
    expect(preview.links.map(({ path }) => path)).toEqual(['/mill', '/wheel', null]);
    expect(preview.notices).toHaveLength(1);
    const whole = await previewPage(store.readAs(null), createRenderer('Test'), { body }, 1);
    expect(whole.links.map(({ path }) => path)).toEqual(['/mill', '/wheel', '/pond']);
    expect(whole.notices).toEqual([]);
  });

  test('a page made private becomes wanted for others, but not for its owner', async () => {
    await using store = await open();
    const wiki = await wikiWith(store);
    await wiki.create('Start', 'To the [[Mill]].');
    await wiki.create('Mill', 'A mill.');
    for (const actor of [null, wiki.max, wiki.olga]) {
      expect(await wiki.markup('/start', actor)).toContain('href="/mill"');
    }
    await wiki.edit('/mill', { permissions: 700 });
    for (const actor of [null, wiki.max]) expect(await wiki.markup('/start', actor)).toContain('class="new"');
    expect(await wiki.markup('/start', wiki.olga)).toContain('href="/mill"');
  });

  test('an edited template shows everywhere at once, also through other templates', async () => {
    await using store = await open();
    const wiki = await wikiWith(store);
    await wiki.create('Outer', 'outer {{Inner}}', { type: 'Template' });
    await wiki.create('Start', '{{Outer}} {{#ifexist:Ghost|boo|none}}');
    expect(await wiki.markup('/start')).toContain('class="new"');
    await wiki.create('Inner', 'inner', { type: 'Template' });
    expect(await wiki.markup('/start')).toContain('outer inner none');
    await wiki.edit('/inner', { body: 'changed' });
    expect(await wiki.markup('/start')).toContain('outer changed none');
    await wiki.create('Ghost', '');
    expect(await wiki.markup('/start')).toContain('outer changed boo');
    await wiki.edit('/inner', { permissions: 700 });
    expect(await wiki.markup('/start')).not.toContain('changed');
    expect(await wiki.markup('/start', wiki.olga)).toContain('changed');
  });

  test('listings follow the wiki and the reader', async () => {
    await using store = await open();
    const wiki = await wikiWith(store);
    await wiki.create('Start', '{{Children}} {{Tagged|kind=tree}}');
    await wiki.create('Oak', '[[kind:tree]]', { parent: '/start' });
    expect((await wiki.markup('/start')).match(/Oak/g)).toHaveLength(2);
    await wiki.create('Ash', '[[kind:tree]]', { parent: '/start', permissions: 700 });
    expect(await wiki.markup('/start')).not.toContain('Ash');
    expect(await wiki.markup('/start', wiki.olga)).toContain('Ash');
  });

  test('numbers of the wiki count pages that the reader may read, and stay current', async () => {
    await using store = await open();
    const wiki = await wikiWith(store);
    const body = '{{NUMBEROFPAGES}} pages, {{PAGESINCATEGORY:Tree}} trees, {{PAGESIZE:Oak}} bytes.';
    await wiki.create('Start', body);
    expect(await wiki.markup('/start')).toContain('1 pages, 0 trees, 0 bytes.');
    await wiki.create('Oak', '[[Category:Tree]] Höhe');
    expect(await wiki.markup('/start')).toContain('2 pages, 1 trees, 23 bytes.');
    await wiki.create('Ash', '[[Category:Tree]]', { permissions: 700 });
    expect(await wiki.markup('/start')).toContain('2 pages, 1 trees, 23 bytes.');
    expect(await wiki.markup('/start', wiki.olga)).toContain('3 pages, 2 trees, 23 bytes.');
    await wiki.edit('/oak', { permissions: 700 });
    for (const actor of [null, wiki.max])
      expect(await wiki.markup('/start', actor)).toContain('1 pages, 0 trees, 0 bytes.');
  });

  test('numbers beyond the limit of a page cost no queries', async () => {
    const seen: string[] = [];
    await using store = await open({ onQuery: ({ sql }) => void seen.push(sql) });
    const wiki = await wikiWith(store);
    const ask = (count: number) =>
      Array.from({ length: count }, (_, i) => `{{PAGESINCATEGORY:${count} ${i}}}`).join(' ');
    await wiki.create('Some', ask(20));
    await wiki.create('Many', ask(200));
    const queries = async (path: string) => {
      seen.length = 0;
      await wiki.markup(path);
      return seen.length;
    };
    expect(await queries('/many')).toBe(await queries('/some'));
  });

  test('a file exists for readers of a page that has it', async () => {
    await using store = await open();
    const wiki = await wikiWith(store);
    await wiki.create('Start', '{{#ifexist:File:/oak/a.png|there|missing}} {{filepath:/oak/a.png}}');
    expect(await wiki.markup('/start')).toContain('missing');
    const { id } = await wiki.create('Oak', '');
    const name = `${'0'.repeat(64)}.png`;
    const added: AttachedFile = {
      name,
      pageId: id,
      filename: 'a.png',
      hash: '0'.repeat(64),
      mime: 'image/png',
      sizeBytes: 1,
      width: null,
      height: null,
      thumbnail: null,
      thumbnailHash: null,
      thumbnailMime: null,
      uploadedAt: 1,
      uploaderId: wiki.olga.memberId,
    };
    await store.transact((store) => store.files.keep(id, [name], [added]));
    expect(await wiki.markup('/start')).toContain(`there /files/${name}`);
    await wiki.edit('/oak', { permissions: 700 });
    expect(await wiki.markup('/start')).toContain('missing');
    expect(await wiki.markup('/start', wiki.olga)).toContain('there');
  });

  test('a title is shown as the page defines if it is still the same title; otherwise the writer gets a notice', async () => {
    await using store = await open();
    const wiki = await wikiWith(store);
    const renderer = createRenderer('Test');
    const shown = async (path: string) => {
      const view = await viewPage({ reader: store.readAs(null), renderer, now: 1 }, path, {
        history: 'none',
      });
      return 'movedTo' in view ? undefined : view.displayTitle;
    };
    await wiki.create('Oak', "{{Latin}} text {{DISPLAYTITLE:''oak''}}");
    expect(await shown('/oak')).toBe('<i>oak</i>');
    await wiki.create('Elm', '{{DISPLAYTITLE:Oak}}');
    expect(await shown('/elm')).toBeUndefined();
    await wiki.create('Ash', '{{Latin}} {{DISPLAYTITLE:**Ash**}}', { format: 'markdown' });
    expect(await shown('/ash')).toBeUndefined();
    await wiki.create('Latin', "{{DISPLAYTITLE:''{{PAGENAME}}''}}", { type: 'Template' });
    await wiki.edit('/ash', { body: '{{Latin}}' });
    expect(await shown('/ash')).toBe('<i>Ash</i>');
    const notices = async (input: object) =>
      (await previewPage(store.readAs(null), renderer, { body: '{{DISPLAYTITLE:Oak}}', ...input }, 1)).notices
        .length;
    expect(await notices({ path: '/elm' })).toBe(1);
    expect(await notices({ path: '/oak' })).toBe(0);
    expect(await notices({ title: 'Elm' })).toBe(1);
    expect(await notices({})).toBe(0);
  });

  test('sections of pages in either language can be embedded in pages of either, and follow them and the reader', async () => {
    await using store = await open();
    const wiki = await wikiWith(store);
    const mill =
      '---\ntype: Mill\n---\nLead.\n\n## The *wheel*\n\nTurns. ^turn\n\n### Axle\n\nIron.\n\n## Roof\n\nStraw.';
    await wiki.create('Mill', mill, { format: 'markdown' });
    await wiki.create(
      'Lock',
      'Before.\n== Gate ==\nOak.\n=== Hinge ===\nBrass.\n== Wall ==\n<section begin=a/>Stone<section end=a/> and <section begin="b c"/>lime<section end="b c"/>.',
    );
    await wiki.create('Notes', '![[Mill#the wheel]]\n\n![[Lock#Gate]]\n\n![[Mill#^turn]]', {
      format: 'markdown',
    });
    const notes = await wiki.markup('/notes');
    expect(notes).toMatch(
      /<h2[^>]*>.*The <em>wheel<\/em><\/h2>.*Turns\..*Axle.*Iron\..*Gate<\/h2>.*Oak\..*Hinge.*Brass\..*Turns\./s,
    );
    for (const other of ['Lead', 'Straw', 'Wall', 'Before']) expect(notes).not.toContain(other);
    await wiki.create(
      'Text',
      '__NOTOC__{{#lsth:Mill|The wheel}}|{{#lsth:Lock|Gate|Wall}}|{{#lsth:Lock}}|{{#lst:Lock|a}}|{{#lst:Lock|a|b c}}|{{#lstx:Lock|a|Brick}}',
    );
    const text = await wiki.markup('/text');
    expect(text).not.toMatch(/<h2[^>]*>(?:<span[^>]*><\/span>)?The/);
    expect(text.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')).toMatch(
      /Turns\. ?Axle ?Iron\. ?\| ?Oak\. Hinge Brass\. ?\| ?Before\. ?\| ?Stone ?\| ?Stone and lime ?\| ?Before\. Gate.*Wall Brick and lime\./,
    );
    await wiki.edit('/mill', { body: mill.replace('Turns', 'Stands') });
    expect(await wiki.markup('/notes')).toContain('Stands');
    await wiki.edit('/mill', { permissions: 700 });
    for (const path of ['/notes', '/text']) {
      for (const actor of [null, wiki.max]) expect(await wiki.markup(path, actor)).not.toContain('Stands');
      expect(await wiki.markup(path, wiki.olga)).toContain('Stands');
    }
  });

  test('a missing section leaves a mark, whatever the page, and the writer gets a notice', async () => {
    await using store = await open();
    const wiki = await wikiWith(store);
    await wiki.create('Mill', '## Wheel\n\nTurns.', { format: 'markdown' });
    const preview = (body: string, more = {}) =>
      previewPage(store.readAs(null), createRenderer('Test'), { body, format: 'markdown', ...more }, 1);
    const missing = await preview(
      '![[Mill#Roof]] ![[Mill#^x]] ![[Mill#Wheel]] ![[Mill]] {{#part:Mill|Door}}',
    );
    expect(missing.markup.match(/There is no section/g)).toHaveLength(3);
    expect(missing.markup).toContain('href="/mill#Roof"');
    expect(missing.notices).toEqual([
      'These sections or blocks do not exist: Mill#Roof, Mill#^x, Mill#Door.',
    ]);
    const nowhere = await preview('![[Ghost#Roof]]');
    expect(nowhere.markup).toContain('class="new"');
    expect(nowhere.notices).toEqual([]);
  });

  test('a page is not its own template by title, but can embed its own sections; files and IDs are found by name', async () => {
    await using store = await open();
    const wiki = await wikiWith(store);
    const part = '<section begin=a/>part<section end=a/>';
    const own = await wiki.create('Oak', `Tree. {{Oak}} {{oak}} {{#lst:Oak|a}} ${part} {{REVISIONID}}`);
    expect(await wiki.markup('/oak')).toBe(
      `<p>Tree. <a href="/oak">Oak</a> <a href="/oak">oak</a> part part ${own.history.at(-1)?.id}\n</p>`,
    );
    await wiki.create('Oak', 'Sign', { type: 'Template', path: '/sign' });
    expect(await wiki.markup('/oak')).toContain('Tree. Sign Sign');
    await wiki.create('Ash', '{{PAGEID:Sign post}} {{PAGEID:Nothing}} {{PAGEID}} [[:File:none.png]]');
    const post = await wiki.create('Sign post', '', { permissions: 700 });
    expect(await wiki.markup('/ash', wiki.olga)).toMatch(new RegExp(`^<p>${post.id} 0 \\d+ <a class="new"`));
    expect(await wiki.markup('/ash')).toMatch(/^<p>0 0 /);
  });

  test('sections that embed each other end, and very long pages are not searched repeatedly', async () => {
    await using store = await open();
    const wiki = await wikiWith(store);
    await wiki.create('A', '== x ==\n{{#part:B|y}}');
    await wiki.create('B', '== y ==\n{{#part:A|x}}');
    expect(await wiki.markup('/a')).toContain('Template loop detected');
    const long = `== a ==\n${'x '.repeat(300_000)}`;
    for (const title of ['L1', 'L2', 'L3']) await wiki.create(title, long);
    const { markup, notices } = await previewPage(
      store.readAs(null),
      createRenderer('Test'),
      { body: '{{#lsth:L1|a}}{{#lsth:L1|b}}{{#lsth:L2|a}}{{#lsth:L3|a}}' },
      1,
    );
    expect(markup.match(/There is no section/g)).toHaveLength(1);
    expect(markup.match(/is on a page that is too long/g)).toHaveLength(2);
    expect(notices).toContain('These sections or blocks do not exist: L1#b.');
    expect(notices).toContain(
      'The pages from which sections are embedded are too long together, so these are left out: L2#a, L3#a.',
    );
  });

  test('pages that show the time are rendered for each request', async () => {
    await using store = await open();
    const wiki = await wikiWith(store);
    await wiki.create('Clock', 'It is {{CURRENTTIME}}.');
    expect(await wiki.markup('/clock')).not.toBe(await wiki.markup('/clock'));
  });

  test('templates and pages in Markdown and wikitext work together', async () => {
    await using store = await open();
    const wiki = await wikiWith(store);
    await wiki.create('Note', '**{{{1}}}**', { type: 'Template', format: 'markdown' });
    await wiki.create('Start', "# Title\n\n''text'' {{Note|hello}} [[Start]]", { format: 'markdown' });
    const markup = await wiki.markup('/start');
    expect(markup).toContain('<strong>hello</strong>');
    expect(markup).toContain("<p>''text'' <strong>hello</strong> <a");
    expect(markup).toMatch(/<h1[^>]*>.*Title/);
  });

  test('however many links, templates and levels, there is one batch of queries for each level', async () => {
    const seen: string[] = [];
    await using store = await open({ onQuery: ({ sql }) => void seen.push(sql) });
    const wiki = await wikiWith(store);
    const links = (count: number) => Array.from({ length: count }, (_, i) => `[[Page ${i}]]`).join(' ');
    await wiki.create('Few', links(2));
    await wiki.create('Many', links(500));
    const count = async (path: string) => {
      seen.length = 0;
      await wiki.markup(path);
      return seen.length;
    };
    expect(await count('/many')).toBe(await count('/few'));
    // A cached page runs the same batch, so that nothing stale is shown.
    expect(await count('/many')).toBe(await count('/few'));
    for (let level = 0; level < 5; level++)
      await wiki.create(`Level ${level}`, `{{Level ${level + 1}}} ${links(level)}`);
    await wiki.create('Level 5', 'bottom');
    await wiki.create('Flat', '{{Level 5}} {{Level 4}}');
    const deep = await count('/level-0');
    expect(deep).toBeLessThanOrEqual((await count('/few')) + 5);
    // Once the dependencies are known, one batch covers all levels.
    expect(await count('/level-0')).toBeLessThanOrEqual((await count('/few')) + 1);
  });
});
