/** Modules in pages: how names resolve, who may run them, what a change affects, and modules that never end. */
import { Modules } from '@coppice/scribunto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLanguage } from '#core/content/language.ts';
import { listEvents } from '#core/events/list-events.ts';
import type { Actor } from '#core/model/permission.ts';
import { effort } from '../support/effort.ts';
import { engines } from '../support/postgres.ts';
import { wikiWith } from '../support/small-wiki.ts';
import { startSite, type TestSite } from '../support/web.ts';

const modules = new Modules();
const language = createLanguage(undefined, undefined, modules);

const says = (text: string) => `return { main = function() return '${text}' end }`;
const code = (program: string) =>
  `About it.\n<syntaxhighlight lang="lua">\n${program}\n</syntaxhighlight>\n[[about:modules]]`;

describe.each(effort(engines.slice(0, 1), engines))('on %s', (_name, open) => {
  test('a page of type Module takes precedence over a page with that name, and changes show at once', async () => {
    await using store = await open();
    const wiki = await wikiWith(store, language);
    await wiki.create('Start', '{{#invoke:Trees|main}}');
    expect(await wiki.markup('/start')).toContain('Script error: there is no module <a');
    await wiki.create('Trees', 'A page about trees.');
    expect(await wiki.markup('/start')).toContain('there is no module');
    await wiki.create('Module:Trees', says('by name'), { path: '/by-name' });
    expect(await wiki.markup('/start')).toContain('by name');
    await wiki.create('trees', code(says('by type')), { path: '/by-type', type: 'Module' });
    expect(await wiki.markup('/start')).toContain('by type');
    await wiki.edit('/by-type', { body: code(says('changed')) });
    expect(await wiki.markup('/start')).toContain('changed');
    await wiki.edit('/by-type', { type: null });
    expect(await wiki.markup('/start')).toContain('by name');
    await wiki.edit('/by-type', { type: 'Module' });
    expect(await wiki.markup('/start')).toContain('changed');
    await wiki.edit('/by-type', { title: 'Bushes' });
    expect(await wiki.markup('/start')).toContain('by name');
  });

  test('a program is the first block of Lua, in either language, or the whole page', async () => {
    await using store = await open();
    const wiki = await wikiWith(store, language);
    const fence = `# About\n\n\`\`\`js\nno\n\`\`\`\n\n\`\`\`lua\n${says('fenced')}\n\`\`\`\n\nMore.`;
    await wiki.create('Fenced', fence, { type: 'Module', format: 'markdown' });
    await wiki.create(
      'Tagged',
      `<source lang='js'>x</source> <source lang=lua line>${says('tagged')}</source>`,
      { type: 'Module' },
    );
    await wiki.create('Whole', says('whole'), { type: 'Module' });
    await wiki.create('Prose', 'No program at all.', { type: 'Module' });
    await wiki.create(
      'Start',
      '{{#invoke:Fenced|main}} {{#invoke:Tagged|main}} {{#invoke:Whole|main}} {{#invoke:Prose|main}}',
    );
    const { markup, notices } = await wiki.view('/start');
    expect(markup).toMatch(/fenced tagged whole <strong class="error">Script error: in Module:Prose/);
    expect(notices).toEqual([expect.stringContaining("Module:Prose:1: '=' expected near 'program'")]);
    await wiki.create('Third', code('local a = 1\n\nerror("here")'), { type: 'Module' });
    await wiki.create('Line', '{{#invoke:Third|main}}');
    expect((await wiki.view('/line')).notices).toEqual(['Module:Third:3: here']);
    await wiki.create('Mark', "''{{#invoke:Whole|main}}''", { format: 'markdown' });
    expect(await wiki.markup('/mark')).toContain('whole');
  });

  test('a page that is a program as a whole is shown as code, and its strings are not links, tags or calls', async () => {
    await using store = await open();
    const wiki = await wikiWith(store, language);
    const program =
      "local s = [[Oak]] .. [[kind:tree]] .. '```' .. '{{Box}}' -- ''x''\nreturn { main = function() return s end }";
    for (const [title, more] of [
      ['Typed', { type: 'Module' }],
      ['Marked down', { type: 'Module', format: 'markdown' }],
      ['Module:Named', {}],
    ] as const) {
      const { path } = await wiki.create(title, program, more);
      const { page, markup } = await wiki.view(path);
      expect(markup).toContain('<pre');
      expect(markup).toContain('[[kind:tree]]');
      expect(markup).not.toContain('<a ');
      expect(page.tags).toEqual({});
      expect(page.content.body).toBe(program);
      await wiki.create(`Caller of ${title}`, `{{#invoke:${title.replace('Module:', '')}|main}}`);
    }
    expect(await store.readAs(null).links.wanted(9, 9)).toEqual([]);
    expect(await wiki.markup('/caller-of-marked-down')).toContain('Oakkind:tree');
    await wiki.create('Module:Named/doc', "''How'' to use [[Typed]].", { path: '/doc' });
    expect(await wiki.markup('/doc')).toContain('<a href="/typed">');
  });

  test('dependencies of a module are tracked: other modules, data, texts, and whether pages exist', async () => {
    await using store = await open();
    const wiki = await wikiWith(store, language);
    const module = (title: string, body: string) => wiki.create(title, body, { type: 'Module' });
    await module(
      'Reader',
      `local inner = require('Module:Inner')
      return { main = function(frame)
        return inner.say() .. ' ' .. mw.loadData('Module:Numbers').one .. ' ' .. (mw.title.new('Text'):getContent() or 'no text') ..
          ' ' .. tostring(mw.title.new('Ghost').exists) .. ' ' .. frame:expandTemplate{ title = 'Box', args = { 'x' } }
      end }`,
    );
    await module('Inner', 'return { say = function() return "inner" end }');
    await module('Numbers', 'return { one = 1 }');
    await wiki.create('Box', '({{{1}}})', { type: 'Template' });
    await wiki.create('Start', '{{#invoke:Reader|main}}');
    const says = async (text: string) => expect(await wiki.markup('/start')).toContain(text);
    await says('inner 1 no text false (x)');
    await wiki.edit('/inner', { body: 'return { say = function() return "outer" end }' });
    await says('outer 1 no text false (x)');
    await wiki.edit('/numbers', { body: 'return { one = 11 }' });
    await says('outer 11 no text false (x)');
    await wiki.create('Text', 'a text');
    await says('outer 11 a text false (x)');
    await wiki.edit('/text', { body: 'another text' });
    await says('outer 11 another text false (x)');
    await wiki.create('Ghost', '');
    await says('outer 11 another text true (x)');
    await wiki.edit('/box', { body: '[{{{1}}}]' });
    await says('outer 11 another text true [x]');
  });

  test('modules list their callers as backlinks, and a change of a module invalidates them', async () => {
    await using store = await open();
    const wiki = await wikiWith(store, language);
    await wiki.create('Trees', 'No module.', { path: '/no-module' });
    const module = await wiki.create('Trees', `local inner = require('Module:Inner')\n${says('oak')}`, {
      type: 'Module',
    });
    const inner = await wiki.create('Module:Inner', says('inner'), { path: '/inner' });
    await wiki.create(
      'Start',
      '{{ #Invoke: trees <!-- all --> |main}} {{#invoke:Trees|main}} {{Module:Trees}}',
    );
    await wiki.create('Marked', '{{#invoke:Trees|main}}', { format: 'markdown' });
    await wiki.create('Box', '{{#invoke:Trees|main|{{{1}}}}}', { type: 'Template' });
    await wiki.create('Boxed', '{{Box|x}}');
    await wiki.create('None', '{{#invoke:{{{1}}}|main}} {{#invoke:|x}} <nowiki>{{#invoke:Trees|x}}</nowiki>');
    await wiki.create('Secret', '{{#invoke:Trees|main}}', { permissions: 700 });
    const backlinks = async (page: { id: number; title: string; path: string }, actor: Actor = null) => {
      const range = { limit: 20, offset: 0 };
      return (await store.readAs(actor).links.backlinks(page, range)).pages.map(({ title }) => title);
    };
    const callers = ['Box', 'Marked', 'Start'];
    expect(await backlinks(module)).toEqual(callers);
    expect(await backlinks(module, wiki.olga)).toEqual([...callers.slice(0, 2), 'Secret', 'Start']);
    expect(await backlinks({ ...module, id: 1, path: '/no-module' })).toEqual([]);
    expect(await backlinks(inner)).toEqual(['Trees']);
    const many = await store.readAs(null).links.backlinksOfEach([module, inner], 20);
    expect(many.get(module.id)?.map(({ title }) => title)).toEqual(['Start', 'Marked', 'Box']);

    const affected = async (path: string) => {
      await wiki.edit(path, { body: says('changed') });
      const events = await listEvents({ store, actor: null }, 0, 50, {});
      return events.at(-1)?.affects.pages.map(({ path }) => path);
    };
    const shows = ['/start', '/marked', '/box', '/boxed'];
    expect((await affected('/inner'))?.toSorted()).toEqual([...shows, '/inner', '/trees'].toSorted());
    expect((await affected('/trees'))?.toSorted()).toEqual([...shows, '/trees'].toSorted());

    // If the page loses its type, the name refers to no page; with the prefix in its title, it does again.
    await wiki.edit('/trees', { type: null });
    expect(await backlinks(module)).toEqual([]);
    await wiki.edit('/trees', { title: 'Module:Trees' });
    expect(await backlinks({ ...module, title: 'Module:Trees' })).toEqual(callers);
    await wiki.edit('/no-module', { type: 'Module' });
    expect(await backlinks({ ...module, title: 'Module:Trees' })).toEqual([]);
    await wiki.edit('/marked', { body: 'No call.' });
    expect(await backlinks({ ...module, id: 1, path: '/no-module' })).toEqual(['Box', 'Start']);
  });

  test('for a reader who may not see a module it does not exist', async () => {
    await using store = await open();
    const wiki = await wikiWith(store, language);
    await wiki.create(
      'Open',
      'return { main = function() return tostring((pcall(require, "Module:Hidden"))) end }',
      { type: 'Module' },
    );
    await wiki.create('Start', '{{#invoke:Hidden|main}} {{#invoke:Open|main}} {{#invoke:Visibility|main}}');
    await wiki.create(
      'Visibility',
      'local t = mw.title.new("Diary") return { main = function() return tostring(t.exists) .. tostring(t:getContent()) end }',
      { type: 'Module' },
    );
    const readers = [null, wiki.max];
    const without = await Promise.all(readers.map((reader) => wiki.view('/start', reader)));
    await wiki.create('Hidden', says('hidden'), { type: 'Module', permissions: 700 });
    await wiki.create('Diary', 'dear', { permissions: 700 });
    for (const [i, reader] of readers.entries()) {
      const { markup, notices } = await wiki.view('/start', reader);
      expect(markup).toBe(without[i]?.markup);
      expect(notices).toEqual(without[i]?.notices);
      expect(markup).toContain('falsenil');
    }
    expect(await wiki.markup('/start', wiki.olga)).toMatch(/hidden true truedear/);
    expect(await wiki.markup('/start', wiki.max)).toBe(without[1]?.markup);
  });

  test('a page that asks for the time is recomputed, and one that does not is cached', async () => {
    await using store = await open();
    const wiki = await wikiWith(store, language);
    await wiki.create(
      'Clock',
      'return { now = function() return os.time() end, fixed = function() return os.date("%Y", 0) end }',
      { type: 'Module' },
    );
    await wiki.create('Now', '{{#invoke:Clock|now}}');
    await wiki.create('Then', '{{#invoke:Clock|fixed}}');
    expect(await wiki.markup('/now')).not.toBe(await wiki.markup('/now'));
    expect(await wiki.markup('/then')).toContain('1970');
    const reader = store.readAs(null);
    await wiki.view('/then', null, reader);
    expect(reader.trace.isTimeDependent).toBe(false);
    await wiki.view('/now', null, reader);
    expect(reader.trace.isTimeDependent).toBe(true);
  });

  test('however many modules a page calls, there is one batch of queries for each level', async () => {
    const seen: string[] = [];
    await using store = await open({ onQuery: ({ sql }) => void seen.push(sql) });
    const wiki = await wikiWith(store, language);
    const names = Array.from({ length: 30 }, (_, i) => `M${i}`);
    for (const name of names)
      await wiki.create(
        name,
        `local d = mw.loadData('Module:D${name}') return { main = function() return d.n end }`,
        { type: 'Module' },
      );
    for (const name of names) await wiki.create(`D${name}`, 'return { n = 1 }', { type: 'Module' });
    await wiki.create('One', '{{#invoke:M0|main}}');
    await wiki.create('Many', names.map((name) => `{{#invoke:${name}|main}}`).join(' '));
    const count = async (path: string) => {
      seen.length = 0;
      await wiki.markup(path);
      return seen.length;
    };
    expect(await count('/many')).toBe(await count('/one'));
    // Once the dependencies are known, one batch covers them all.
    expect(await count('/many')).toBe(await count('/one'));
  });
});

describe('on threads', () => {
  let site: TestSite;
  let ada: Awaited<ReturnType<TestSite['signedIn']>>;
  const module = (title: string, body: string) =>
    site.page(ada.token, { title, body: `return { main = function() ${body} end }`, type: 'Module' });

  beforeAll(async () => {
    site = await startSite();
    ada = await site.signedIn('Ada');
  });
  afterAll(() => site.close());

  test('writers of a page are told the cause of an error in a module, readers only its place', async () => {
    await module('Dry', 'error("the <b>well</b> is dry")');
    await site.page(ada.token, { title: 'Start', path: '/start', body: 'a {{#invoke:Dry|main}} b' });
    const payload = { body: '{{#invoke:Dry|main}}', format: 'wikitext' };
    const preview = await site.call('POST', '/v1/preview', { json: payload });
    expect(preview.json.markup).toContain('<strong class="error">Script error: in Module:Dry</strong>');
    expect(preview.json.notices).toEqual(['Module:Dry:1: the <b>well</b> is dry']);
    const { text } = await site.visitor().get('/start');
    expect(text).toContain('Script error: in Module:Dry');
    expect(text).not.toContain('is dry');
    expect((await ada.get('/start')).text).toContain('the &lt;b&gt;well&lt;/b&gt; is dry');
  });

  test('pages with endless modules are served, and other pages meanwhile', async () => {
    const names = ['Loop', 'Grow', 'Match', 'Well'];
    // Written before the modules, so that only reading the pages runs them.
    for (const name of names)
      await site.page(ada.token, {
        title: name,
        path: `/calls/${name}`.toLowerCase(),
        parent: null,
        body: `{{#invoke:${name}|main}}`,
      });
    await module('Loop', 'while true do pcall(function() while true do end end) end');
    await module(
      'Grow',
      'local t = {} while true do pcall(function() for i = 1, 1e9 do t[#t + 1] = { i } end end) end',
    );
    await module('Match', 'return ("a"):rep(30000):find("(.-)(.-)(.-)b")');
    await module('Well', 'return "all is well"');
    const read = async (name: string) => (await site.visitor().get(`/calls/${name}`.toLowerCase())).text;
    const texts = await Promise.all(names.map(read));
    for (const [i, text] of texts.entries())
      expect(text, names[i]).toContain(i === 3 ? 'all is well' : 'Script error');
  });
});
