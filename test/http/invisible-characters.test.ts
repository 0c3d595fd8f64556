/** Invisible characters: new addresses and titles lose them, pages that have one in their path since before stay as they are. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, startApp, type TestApp } from '../support/http.ts';
import { zipOf } from '../support/zip.ts';

const old = '/gar\u200bden';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  let token: string;
  beforeAll(async () => {
    wiki = await startApp({}, { engine });
    token = (await wiki.member('Ada', { isAdmin: true })).token;
  });
  afterAll(() => wiki.close());

  test('titles, slugs and paths of new pages lose them', async () => {
    const titled = await wiki.page(token, { title: 'Sa\u202efe\u200b', body: 'x' });
    expect([titled.title, titled.path]).toEqual(['Safe', '/safe']);
    const placed = await wiki.page(token, { title: 'Oak', path: '/o\u2066ak', body: 'x' });
    expect(placed.path).toBe('/oak');
    const taken = await wiki.call('GET', `/v1/checkpath${encodeURI('/o\u200bak')}`, { token });
    expect(taken.json.ok).toBe(false);
  });

  test('moves, slugs, restorations, aliases in front matter and imports lose invisible characters, too', async () => {
    const post = (url: string, json: object) => wiki.call('POST', url, { token, json });
    await wiki.page(token, { title: 'Elm' });
    expect((await post('/v1/pages/elm', { path: '/e\u200bl\u202em-tree' })).json.page.path).toBe('/elm-tree');
    expect((await post('/v1/pages/elm-tree', { slug: 'e\u2060lms' })).json.page.path).toBe('/elms');
    const gone = await wiki.call('DELETE', '/v1/pages/elms', { token });
    const restored = await post(`/v1/trash/${gone.json.trash.id}/restore`, { path: '/el\u200fm' });
    expect(restored.json.page.path).toBe('/elm');

    const body = '---\naliases: ["/y\u200bew", "Ta\u202exus"]\n---\nText';
    await wiki.page(token, { title: 'Yew page', format: 'markdown', body });
    for (const alias of ['/yew', '/taxus'])
      expect((await wiki.call('GET', `/v1/pages${alias}`, { token })).headers.location).toBe(
        '/v1/pages/yew-page',
      );

    const files = [{ name: 'No\u200btes/O\u202eak\u200b.md', content: '# Oak\n' }];
    const begun = await wiki.call('POST', '/v1/imports?from=obsidian&parent=/in', {
      ...{ token, body: zipOf(files), headers: { 'content-type': 'application/zip' } },
    });
    const paths = async () =>
      (await wiki.call('GET', '/v1/pages?path=/in&fields=path', { token })).json.map(
        ({ path }: { path: string }) => path,
      );
    await expect.poll(paths, { timeout: 20_000 }).toContain('/in/oak');
    expect(begun.status).toBe(202);
  });

  test('a page that has one in its path can be read and edited there', async () => {
    const { id } = await wiki.page(token, { title: 'Garden', body: 'x' });
    const place = { path: old, parentId: null, depth: 0, trail: [] };
    const change = { at: Date.now(), editorId: 1, msg: '' };
    await wiki.app.service.store.transact((store) => store.pages.move(id, place, change));
    const url = `/v1/pages${encodeURI(old)}`;
    const path = async () => (await wiki.call('GET', url, { token })).json.page?.path;
    expect(await path()).toBe(old);
    const edited = await wiki.call('POST', url, { token, json: { path: old, body: 'y' } });
    expect([edited.status, await path()]).toEqual([200, old]);
  });
});
