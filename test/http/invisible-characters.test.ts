/** Invisible characters: new addresses and titles lose them, pages that have one in their path since before stay as they are. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, startApp, type TestApp } from '../support/http.ts';

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

  test('a page with one in its path is read and edited there', async () => {
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
