/** What a page shows follows everything it is made from, at once, and costs a fixed number of queries. */
import { describe, expect, test } from 'vitest';
import { previewPage } from '#domain/content/preview-page.ts';
import { createRenderer } from '#domain/content/render.ts';
import { addMember } from '#domain/members/manage-members.ts';
import { createPage } from '#domain/pages/create-page.ts';
import { editPage } from '#domain/pages/edit-page.ts';
import { viewPage } from '#domain/pages/view-page.ts';
import type { Actor } from '#domain/permission.ts';
import type { Store } from '#domain/ports/store.ts';
import { noFiles } from '../support/no-files.ts';
import { engines } from '../support/postgres.ts';

type Member = NonNullable<Actor>;

async function wikiWith(store: Store) {
  const renderer = createRenderer('Test');
  const passphrases = {
    hash: async () => 'x',
    verify: async () => false,
    isCommon: () => false,
    wikiName: '',
  };
  const memberCalled = async (name: string): Promise<Member> => {
    const input = { email: `${name}@example.org`, name, passphrase: null, isAdmin: false };
    return { memberId: (await addMember(store, passphrases, input, 1)).id, name, isAdmin: false };
  };
  const [olga, max] = [await memberCalled('Olga'), await memberCalled('Max')];
  let now = Date.UTC(2026, 0, 1);
  return {
    olga,
    max,
    create: (title: string, body: string, more = {}, actor = olga) =>
      createPage(store, noFiles, actor, { title, body, ...more }, now++),
    edit: (path: string, input: object, actor = olga) =>
      editPage(store, noFiles, renderer, actor, path, input, now++),
    async markup(path: string, actor: Actor = null) {
      now += 60_000;
      const view = await viewPage(store, renderer, actor, path, { history: 'none' }, now);
      return 'movedTo' in view ? view.movedTo : view.markup;
    },
  };
}

describe.each(engines)('%s', (_name, open) => {
  test('a wanted link turns blue the moment its page exists, and follows it when it moves or is renamed', async () => {
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

  test('whatever a preview has looked up is counted, and links beyond a bound are not looked up', async () => {
    await using store = await open();
    const wiki = await wikiWith(store);
    for (const title of ['Mill', 'Wheel', 'Pond']) await wiki.create(title, 'Text.');
    const counted: number[] = [];
    const lookups = { maxLinks: 2, spend: (names: number) => void counted.push(names) };
    const body = '{{#ifexist:Mill|[[Mill]]|}} [[Wheel]] [[Pond]] [[Mill]] [[File:a.png]]';
    const preview = await previewPage(store, { ...createRenderer('Test'), lookups }, null, { body }, 1);
    expect(counted).toEqual([1, 3]);
    expect(preview.links.map(({ path }) => path)).toEqual(['/mill', '/wheel', null]);
    expect(preview.notices).toHaveLength(1);
    const whole = await previewPage(store, createRenderer('Test'), null, { body }, 1);
    expect(whole.links.map(({ path }) => path)).toEqual(['/mill', '/wheel', '/pond']);
    expect(whole.notices).toEqual([]);
  });

  test('a page made private is wanted again for others, not for its owner', async () => {
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

  test('an edited template shows everywhere at once, through other templates too', async () => {
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

  test('what shows the time is rendered anew', async () => {
    await using store = await open();
    const wiki = await wikiWith(store);
    await wiki.create('Clock', 'It is {{CURRENTTIME}}.');
    expect(await wiki.markup('/clock')).not.toBe(await wiki.markup('/clock'));
  });

  test('templates and pages in Markdown and wikitext go together', async () => {
    await using store = await open();
    const wiki = await wikiWith(store);
    await wiki.create('Note', '**{{{1}}}**', { type: 'Template', format: 'markdown' });
    await wiki.create('Start', "# Title\n\n''text'' {{Note|hello}} [[Start]]", { format: 'markdown' });
    const markup = await wiki.markup('/start');
    expect(markup).toContain('<strong>hello</strong>');
    expect(markup).toContain("<p>''text'' <strong>hello</strong> <a");
    expect(markup).toMatch(/<h1[^>]*>.*Title/);
  });

  test('however many links, templates and levels, the queries are one batch a level', async () => {
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
    // From the cache there is the same batch, so that nothing stale is shown.
    expect(await count('/many')).toBe(await count('/few'));
    for (let level = 0; level < 5; level++)
      await wiki.create(`Level ${level}`, `{{Level ${level + 1}}} ${links(level)}`);
    await wiki.create('Level 5', 'bottom');
    await wiki.create('Flat', '{{Level 5}} {{Level 4}}');
    const deep = await count('/level-0');
    expect(deep).toBeLessThanOrEqual((await count('/few')) + 5);
    // Once known, all levels are asked for together.
    expect(await count('/level-0')).toBeLessThanOrEqual((await count('/few')) + 1);
  });
});
