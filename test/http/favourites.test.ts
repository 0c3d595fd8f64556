/** Favourites: starring pages, what a member's list shows as access changes, export, erasure, and the site. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, type Method } from '../support/http.ts';
import { startSite, type TestSite } from '../support/web.ts';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestSite;
  let ada: Awaited<ReturnType<TestSite['signedIn']>>;
  let bob: Awaited<ReturnType<TestSite['signedIn']>>;
  let now = Date.UTC(2026, 4, 1);

  beforeAll(async () => {
    wiki = await startSite({}, { engine, clock: () => now });
    ada = await wiki.signedIn('Ada', { isAdmin: true });
    bob = await wiki.signedIn('Bob');
    for (const title of ['Oak', 'Elm', 'Ash']) await wiki.page(ada.token, { title });
    await wiki.page(ada.token, { title: 'Hidden', permissions: 700 });
  });
  afterAll(async () => {
    expect(await wiki.app.service.store.maintenance.violations(10)).toEqual([]);
    await wiki.close();
  });

  const call = (method: Method, path: string, who?: { token: string }, json?: object) =>
    wiki.call(method, `/v1${path}`, { ...(who ? { token: who.token } : {}), ...(json ? { json } : {}) });
  const star = (path: string, who = bob) => {
    now += 1000;
    return call('PUT', `/favourites${path}`, who);
  };
  const starred = async (who = bob) =>
    ((await call('GET', '/favourites', who)).json as { path: string }[]).map(({ path }) => path);

  test('pages are starred once each, listed latest first, and nobody else sees them', async () => {
    for (const path of ['/oak', '/elm', '/oak']) expect((await star(path)).status).toBe(200);
    expect((await call('GET', '/favourites', bob)).json).toEqual([
      { id: expect.any(Number), path: '/elm', title: 'Elm', at: '2026-05-01T00:00:02.000Z' },
      { id: expect.any(Number), path: '/oak', title: 'Oak', at: '2026-05-01T00:00:01.000Z' },
    ]);
    expect(await starred(ada)).toEqual([]);
    expect((await call('DELETE', '/favourites/elm', bob)).status).toBe(200);
    expect((await call('DELETE', '/favourites/elm', bob)).status).toBe(200);
    expect(await starred()).toEqual(['/oak']);
    expect((await call('GET', '/favourites')).status).toBe(401);
    expect((await call('PUT', '/favourites/oak')).status).toBe(401);
    const [hidden, absent] = [await star('/hidden'), await star('/absent')];
    expect(hidden.status).toBe(404);
    expect(hidden.text.replaceAll('hidden', 'absent')).toBe(absent.text);
  });

  test('hidden and deleted pages leave the list and come back', async () => {
    await star('/ash');
    await call('POST', '/pages/ash', ada, { permissions: 700 });
    expect(await starred()).toEqual(['/oak']);
    await call('POST', '/pages/ash', ada, { permissions: 774, path: '/ash-tree' });
    expect(await starred()).toEqual(['/ash-tree', '/oak']);
    const { trash } = (await call('DELETE', '/pages/oak', ada)).json;
    expect(await starred()).toEqual(['/ash-tree']);
    await call('POST', `/trash/${trash.id}/restore`, ada, {});
    expect(await starred()).toEqual(['/ash-tree', '/oak']);
    await call('DELETE', '/pages/oak', ada);
    const [{ id }] = (await call('GET', '/trash', ada)).json;
    await call('DELETE', `/trash/${id}`, ada);
    expect(await starred()).toEqual(['/ash-tree']);
  });

  test('the site stars a page from its menu, lists favourites, and takes stars away', async () => {
    expect((await bob.get('/elm')).text).toContain('name="star" value="/elm"');
    const answer = await bob.post('/account/favourites', { star: '/elm' });
    expect(answer.location).toBe('/account/favourites');
    expect((await bob.get('/elm')).text).toContain('name="unstar" value="/elm"');
    expect((await ada.get('/elm')).text).toContain('name="star" value="/elm"');
    expect((await bob.get('/account/favourites')).text).toContain('>Elm</a>');
    expect((await bob.post('/account/favourites', { star: '/hidden' })).status).toBe(404);
    await bob.post('/account/favourites', { unstar: '/elm' });
    expect((await bob.get('/account/favourites')).text).not.toContain('>Elm</a>');
    expect((await wiki.visitor().get('/elm')).text).not.toContain('name="star"');
  });

  test('the export of a member contains favourites, of which at most 500 are kept', async () => {
    const own = await call('GET', '/members/me/export', bob);
    expect(own.json.favourites).toMatchObject([{ page: { path: '/ash-tree' } }]);
    const { store } = wiki.app.service;
    const full = await wiki.signedIn('Full');
    for (let id = 1000; id < 1500; id++) await store.favourites.add(full.id, id, 1);
    const refused = await star('/elm', full);
    expect(refused).toMatchObject({ status: 400 });
    expect(refused.text).toContain('500 pages');
    expect(await starred(full)).toEqual([]);
    for (let id = 1000; id < 1500; id++) await store.favourites.remove(full.id, id);
  });
});
