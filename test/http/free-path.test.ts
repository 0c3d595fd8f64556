/** Titles such as C, C++ and C# get the same address. The refusal of the second offers the next free one, in every interface. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, startApp, type TestApp } from '../support/http.ts';
import { formFields, startSite, type TestSite, type Visitor } from '../support/web.ts';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  let ada: { id: number; token: string };
  let bob: typeof ada;
  beforeAll(async () => {
    wiki = await startApp({}, { engine });
    ada = await wiki.member('Ada');
    bob = await wiki.member('Bob');
  });
  afterAll(() => wiki.close());

  const post = (url: string, json: object, who = ada) => wiki.call('POST', url, { token: who.token, json });

  test('a refused address includes the next free one, which is then accepted', async () => {
    await wiki.page(ada.token, { title: 'C' });
    await wiki.page(ada.token, { title: 'Taken', path: '/c-2' });
    const refused = await post('/v1/pages', { title: 'C++' });
    expect(refused.status).toBe(400);
    expect(refused.json).toMatchObject({
      freePath: '/c-3',
      detail: 'A page at /c already exists. The next free address is /c-3.',
    });
    expect(Object.keys(refused.json)).not.toContain('wanted');
    const made = await post('/v1/pages', { title: 'C++', path: refused.json.freePath });
    expect(made.json.path).toBe('/c-3');
    expect((await post('/v1/pages', { title: 'C#' })).json.freePath).toBe('/c-4');
    expect((await wiki.call('GET', '/v1/checkpath/c')).json.freePath).toBe('/c-4');
    expect((await wiki.call('GET', '/v1/checkpath/search')).json.freePath).toBeUndefined();
  });

  test('edits, moves and restorations include it, too, and all of a subtree fits there', async () => {
    await wiki.page(ada.token, { title: 'Ash' });
    await wiki.page(ada.token, { title: 'Leaf', parent: '/ash' });
    await wiki.page(ada.token, { title: 'Elm' });
    await wiki.page(ada.token, { title: 'Under', path: '/elm-2/leaf' });
    expect((await post('/v1/pages/ash', { path: '/elm' })).json.freePath).toBe('/elm-3');
    expect((await post('/v1/pages/ash', { slug: 'elm' })).json.freePath).toBe('/elm-3');
    const preview = await wiki.call('GET', '/v1/moves/ash?to=/elm', { token: ada.token });
    expect(preview.json).toMatchObject({ taken: ['/elm'], freePath: '/elm-3' });
    expect((await wiki.call('GET', '/v1/moves/ash?to=/yew', { token: ada.token })).json.freePath).toBe(
      undefined,
    );
    const gone = await wiki.call('DELETE', '/v1/pages/ash?subtree=true', { token: ada.token });
    await wiki.page(ada.token, { title: 'Ash' });
    const url = `/v1/trash/${gone.json.trash.id}/restore`;
    const refused = await post(url, {});
    expect(refused.json).toMatchObject({ status: 400, freePath: '/ash-2' });
    expect((await post(url, { path: refused.json.freePath })).json.page.path).toBe('/ash-2');
    expect((await wiki.call('GET', '/v1/pages/ash-2/leaf')).status).toBe(200);
  });

  test('a free path reveals nothing about hidden pages beyond the check of an address', async () => {
    await wiki.page(ada.token, { title: 'Open' });
    await wiki.page(ada.token, { title: 'Secret', path: '/open-2', permissions: 700 });
    await wiki.page(ada.token, { title: 'Deep', path: '/open-3/secret', permissions: 700 });
    await wiki.page(ada.token, { title: 'Moving', path: '/open-4', permissions: 700 });
    await post('/v1/pages/open-4', { path: '/elsewhere' });
    expect((await wiki.call('GET', '/v1/checkpath/open-2')).json.ok).toBe(false);
    await wiki.page(bob.token, { title: 'Other' });
    const move = (who: typeof ada) =>
      wiki.call('GET', '/v1/moves/other?to=/open', { token: who.token }).then(({ json }) => json.freePath);
    expect((await post('/v1/pages', { title: 'Open' }, bob)).json.freePath).toBe('/open-3');
    expect(await move(bob)).toBe('/open-3');
    // Nobody is offered an old address of a page that they may read: links to it would lead elsewhere.
    expect(await move(ada)).toBe('/open-5');
  });

  test('without room for a number, a refusal names no free address; nor does one in an atomic batch', async () => {
    const path = `/${'x'.repeat(1023)}`;
    await wiki.page(ada.token, { title: 'Long', path });
    const refused = await post('/v1/pages', { title: 'Long', path });
    expect(refused.status).toBe(400);
    expect(refused.json.freePath).toBeUndefined();
    const operation = { method: 'POST', path: '/v1/pages', body: { title: 'Oak' } };
    const batch = (atomic: boolean) => post('/v1/batch', { atomic, operations: [operation, operation] });
    const { json } = await batch(true);
    expect(json.failed).toBe(1);
    expect(json.results[1].body).toMatchObject({ detail: 'A page at /oak already exists.' });
    expect((await batch(false)).json.results[1].body.freePath).toBe('/oak-2');
  });

  test('agents get the free path in the result of the tool', async () => {
    await wiki.page(ada.token, { title: 'F' });
    const call = { name: 'create_page', arguments: { title: 'F#', body: 'x' } };
    const { json } = await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call });
    expect(json.result.isError).toBe(true);
    expect(json.result.content[0].text).toContain('The next free address is /f-2.');
  });
});

describe('on the site', () => {
  let site: TestSite;
  let ada: Visitor & { token: string };
  beforeAll(async () => {
    site = await startSite();
    ada = await site.signedIn('Ada');
  });
  afterAll(() => site.close());

  const pressed = { 'use-path': '/c-2' };

  test('one button saves the new page there, with the whole form', async () => {
    await site.page(ada.token, { title: 'C' });
    const files = [{ name: 'kept.txt', bytes: Buffer.from('kept') }];
    const fields = { title: 'C++', body: 'Classes.', type: 'Language', intent: 'save' };
    const refused = await ada.post('/new', fields, { files });
    expect(refused.text).toContain('name="use-path" value="/c-2"');
    const { intent: _, ...again } = formFields(refused.text, 'page-form');
    expect(await ada.post('/new', { ...again, ...pressed })).toMatchObject({ location: '/c-2' });
    const { json } = await site.call('GET', '/v1/pages/c-2');
    expect(json.page).toMatchObject({ title: 'C++', type: 'Language' });
    expect(json.page.files.map(({ filename }: { filename: string }) => filename)).toEqual(['kept.txt']);
  });

  test('one button chooses the free path for an edit, a move and a restoration', async () => {
    await site.page(ada.token, { title: 'D' });
    await site.page(ada.token, { title: 'E', body: 'x' });
    const form = formFields((await ada.get('/edit/e')).text, 'page-form');
    const refused = await ada.post('/edit/e', { ...form, body: 'y', path: '/d', intent: 'save' });
    expect(refused.text).toContain('name="use-path" value="/d-2"');
    const again = { ...formFields(refused.text, 'page-form'), 'use-path': '/d-2' };
    const shown = await ada.post('/edit/e', again);
    expect(shown.text).toContain('<code dir="auto">/e</code> → <code dir="auto">/d-2</code>');
    const confirmed = { ...formFields(shown.text, 'page-form'), intent: 'save' };
    expect(await ada.post('/edit/e', confirmed)).toMatchObject({ location: '/d-2' });
    expect((await site.call('GET', '/v1/pages/d-2')).text).toContain('<p>y');

    const move = await ada.post('/move/d-2', { parent: '', slug: 'd', intent: 'move' });
    expect(move.text).toContain('name="use-path" value="/d-3"');
    const moves = await ada.post('/move/d-2', { parent: '', slug: 'd', 'use-path': '/d-3' });
    expect(moves.text).toContain('<input type="hidden" name="seen" value="/d-3">');

    const gone = await site.call('DELETE', '/v1/pages/d', { token: ada.token });
    await site.page(ada.token, { title: 'D' });
    const { id } = gone.json.trash;
    const taken = await ada.post('/trash', { id, path: '', what: 'restore' });
    expect(taken.text).toContain('name="use-path" value="/d-3"');
    expect(await ada.post('/trash', { id, what: 'restore', 'use-path': '/d-3' })).toMatchObject({
      location: '/d-3',
    });
  });
});
