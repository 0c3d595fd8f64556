/** Page templates: new pages that begin with them in the API and on the site, what they take over, and what is refused. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyPages } from '#core/maintenance/verify-pages.ts';
import { engines, type PageAnswer } from '../support/http.ts';
import { formFields, startSite, type TestSite } from '../support/web.ts';

const latest = (page: PageAnswer): string => page.history.at(-1).content.body;
const type = 'Page template';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestSite;
  let ada: Awaited<ReturnType<TestSite['signedIn']>>;
  let bob: Awaited<ReturnType<TestSite['signedIn']>>;

  beforeAll(async () => {
    wiki = await startSite({}, { engine, clock: () => Date.UTC(2026, 4, 1) });
    ada = await wiki.signedIn('Ada');
    bob = await wiki.signedIn('Bob');
  });
  afterAll(() => wiki.close());

  const create = (who: { token: string }, json: object) =>
    wiki.call('POST', '/v1/pages', { token: who.token, json });
  const made = async (who: { token: string }, json: object) => {
    const { status, json: page, text } = await create(who, json);
    expect(status, text).toBe(200);
    return page as PageAnswer;
  };

  test('a new page takes text, data and files of the template, with its placeholders filled in now', async () => {
    const file = { name: 'form.txt', data: Buffer.from('a form').toString('base64') };
    const body =
      '<noinclude>How to use it.\n[[Type:Page template]]</noinclude>\nOn {{subst:PAGENAME}} by {{subst:REVISIONUSER}}, ~~~~~. [[Season:summer]]<includeonly>[[Type:Recipe]]</includeonly> [[File:form.txt]]';
    const template = await made(ada, {
      ...{ title: 'Recipe form', path: '/templates/recipe', body, description: 'For recipes.' },
      ...{ data: { portions: 4 }, files: { file }, permissions: 774 },
    });
    expect(template).toMatchObject({ type });
    expect(latest(template)).toBe(body);

    const page = await made(bob, { title: 'Soup', from: '/templates/recipe' });
    expect(latest(page)).toBe(
      'On Soup by Bob, 00:00, 1 May 2026 (UTC). [[Season:summer]][[Type:Recipe]] [[File:form.txt]]',
    );
    expect(page).toMatchObject({
      ...{
        path: '/soup',
        title: 'Soup',
        type: 'Recipe',
        tags: { season: ['summer'] },
        data: { portions: 4 },
      },
      files: [{ filename: 'form.txt' }],
    });
    expect(page.description).not.toBe('For recipes.');
    expect(page.files[0].name).not.toBe(template.files[0].name);
    expect((await wiki.call('GET', `/files/${page.files[0].name}`)).text).toBe('a form');
    const own = await made(bob, {
      title: 'Own',
      from: '/templates/recipe',
      body: 'Mine',
      data: {},
      type: 'Note',
    });
    expect(own).toMatchObject({ type: 'Note', data: {} });
    expect(latest(own)).toBe('Mine');
  });

  test('templates may have their type as a field or in front matter, be written in Markdown, and move', async () => {
    const body = '---\ntype: Page template\nmood: good\n---\n# {{subst:PAGENAME}}\n\nText.';
    await made(ada, { title: 'Minutes form', format: 'markdown', path: '/templates/minutes', body });
    const page = await made(bob, { title: 'Monday', from: '/templates/minutes' });
    expect(page).toMatchObject({ format: 'markdown', type: null });
    expect(latest(page)).toBe('---\nmood: good\n---\n# Monday\n\nText.');
    await made(ada, {
      title: 'Field',
      type,
      path: '/templates/field',
      body: 'A\n[[Type:Page template]]\nB <nowiki>[[Type:Page template]]</nowiki>',
    });
    expect(latest(await made(bob, { title: 'Of a field', from: '/templates/field' }))).toBe(
      'A\nB <nowiki>[[Type:Page template]]</nowiki>',
    );
    await wiki.call('POST', '/v1/pages/templates/field', {
      token: ada.token,
      json: { path: '/forms/field' },
    });
    expect(latest(await made(bob, { title: 'After a move', from: '/templates/field' }))).toContain('A\nB');
    const other = await create(bob, { title: 'Wrong', from: '/templates/minutes', format: 'wikitext' });
    expect(other).toMatchObject({ status: 400, json: { errors: [{ pointer: '/format' }] } });
  });

  test('a template that the member cannot read is refused like a missing one, and so is another page', async () => {
    await made(ada, { title: 'Hidden', path: '/templates/hidden', type, body: 'secret', permissions: 700 });
    await made(ada, { title: 'Plain', path: '/templates/plain', body: 'x' });
    const refused = async (from: string) => {
      const { status, json } = await create(bob, { title: 'None', from });
      expect(status, from).toBe(400);
      expect(json.errors[0].pointer).toBe('/from');
      return JSON.stringify(json).replaceAll(from, '…');
    };
    const missing = await refused('/templates/absent');
    expect(await refused('/templates/hidden')).toBe(missing);
    expect(await refused('/templates/plain')).toBe(missing);
    await refused('no path');
    expect((await create(bob, { title: 'None', from: 7 })).status).toBe(400);
    expect((await wiki.call('GET', '/v1/pages/none')).status).toBe(404);
    expect(
      (await wiki.call('POST', '/v1/pages', { json: { title: 'X', from: '/templates/plain' } })).status,
    ).toBe(401);
    expect((await create(bob, { title: 'Without', from: '' })).status).toBe(200);
  });

  test('New page offers the templates that the member sees, with their descriptions, and begins with the chosen one', async () => {
    const { text } = await bob.get('/new?title=Stew&parent=/templates');
    expect(text).toContain('/new?title=Stew&amp;parent=%2Ftemplates&amp;from=%2Ftemplates%2Frecipe');
    expect(text).toContain('For recipes.');
    expect(text).not.toContain('%2Ftemplates%2Fhidden');
    const begun = formFields((await bob.get('/new?title=Stew&from=/templates/recipe')).text, 'page-form');
    expect(begun).toMatchObject({ title: 'Stew', from: '/templates/recipe' });
    expect(begun.body).toMatch(/^On \{\{subst:PAGENAME\}\}/);
    const saved = await bob.post('/new', { ...begun, intent: 'save' });
    expect(saved.location).toBe('/stew');
    const page = await wiki.pageAt('/stew', bob.token);
    expect(latest(page)).toMatch(/^On Stew by Bob/);
    expect(page.files).toMatchObject([{ filename: 'form.txt' }]);
    const refused = await bob.get('/new?title=Stew&from=/templates/hidden');
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('There is no page template at /templates/hidden.');
    expect(refused.text).toContain('value="Stew"');
  });

  test('a page names the template of new pages beneath it, which counts where nothing nearer does', async () => {
    const set = (path: string, json: object, who = ada) =>
      wiki.call('POST', `/v1/pages${path}`, { token: who.token, json });
    await made(ada, { title: 'Kitchen', defaults: { permissions: 770, template: '/templates/recipe' } });
    await made(ada, { title: 'Cakes', parent: '/kitchen', permissions: 774 });
    await made(ada, { title: 'Private', parent: '/kitchen', defaults: { template: '/templates/hidden' } });
    const first = await made(bob, { title: 'Tart', parent: '/kitchen/cakes' });
    expect(latest(first)).toMatch(/^On Tart by Bob/);
    expect(first.permissions).toBe(770);
    expect(latest(await made(bob, { title: 'Bare', parent: '/kitchen', from: null }))).toBe('');
    expect(latest(await made(bob, { title: 'Given', parent: '/kitchen', body: 'x' }))).toBe('x');
    // Readers of the page see the name that its owner gave; whoever cannot read the template begins with nothing.
    expect(latest(await made(bob, { title: 'Blank', parent: '/kitchen/private' }))).toBe('');
    expect((await wiki.pageAt('/kitchen/private', ada.token)).defaults).toEqual({
      template: '/templates/hidden',
    });
    expect((await made(bob, { title: 'As above', parent: '/kitchen/private' })).permissions).toBe(770);

    for (const template of ['/templates/plain', '/templates/absent', 'no path'])
      expect((await set('/kitchen', { defaults: { template } })).json.errors[0].pointer).toBe(
        '/defaults/template',
      );
    const others = await set('/kitchen/cakes', { defaults: { template: '/templates/recipe' } }, bob);
    expect([others.status, others.json.errors[0].pointer]).toEqual([401, '/defaults']);
    const { text } = await bob.get('/new?parent=/kitchen/cakes');
    expect(formFields(text, 'page-form')).toMatchObject({ from: '/templates/recipe' });
    expect(formFields((await bob.get('/new?parent=/kitchen/cakes&from=')).text, 'page-form').body).toBe('');

    const fields = formFields((await ada.get('/edit/kitchen')).text, 'page-form');
    expect(fields['default-template']).toBe('/templates/recipe');
    const wrong = await ada.post('/edit/kitchen', { ...fields, 'default-template': '/x', intent: 'save' });
    expect(wrong.text).toContain('There is no page template at /x.');
    const other = { ...fields, 'default-template': '/templates/minutes', intent: 'save' };
    expect((await ada.post('/edit/kitchen', other)).status).toBe(303);
    expect((await wiki.pageAt('/kitchen', ada.token)).defaults).toEqual({
      ...{ permissions: 770, group: 'members', template: '/templates/minutes' },
    });
    await set('/kitchen', { defaults: null });
    expect(await wiki.pageAt('/kitchen', ada.token)).not.toHaveProperty('defaults');
    expect(await wiki.app.service.store.maintenance.violations(10)).toEqual([]);
    expect(await Array.fromAsync(verifyPages(wiki.app.service.store))).toEqual([]);
  });
});
