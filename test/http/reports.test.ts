/** Reports for administrators: orphans, dead links, most read pages, vain searches, and pages due for review. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOutgoing } from '#outgoing/outgoing.ts';
import { readAllowed } from '#outgoing/targets.ts';
import { checkSomeLinks } from '#src/features/reports/check-links.ts';
import { storeCounts } from '#src/features/reports/loop.ts';
import { engines } from '../support/http.ts';
import { startSite, type TestSite } from '../support/web.ts';

const day = 24 * 60 * 60_000;

/** Another site: `/gone` is missing, `/post` knows no HEAD, `/moved` redirects. */
const asked: string[] = [];
let isMended = false;
const other = createServer(({ method, url = '' }, response) => {
  asked.push(`${method} ${url}`);
  const isGone = url === '/gone' && !isMended;
  const status = isGone ? 404 : url === '/post' && method === 'HEAD' ? 405 : url === '/moved' ? 302 : 200;
  response.writeHead(status, { location: '/gone' }).end('x'.repeat(100_000));
});
let port: number;
beforeAll(async () => {
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  ({ port } = other.address() as AddressInfo);
});
afterAll(() => {
  other.closeAllConnections();
  other.close();
});

describe.each(engines)('on %s', (engine) => {
  let wiki: TestSite;
  let ada: Awaited<ReturnType<TestSite['signedIn']>>;
  let now = Date.UTC(2026, 4, 20);

  beforeAll(async () => {
    wiki = await startSite({}, { engine, clock: () => now });
    ada = await wiki.signedIn('Ada', { isAdmin: true });
  });
  afterAll(async () => {
    expect(await wiki.app.service.store.maintenance.violations(10)).toEqual([]);
    await wiki.close();
  });

  const reports = async (query = '') =>
    (await wiki.call('GET', `/v1/reports${query}`, { token: ada.token })).json;
  const set = (json: object) => wiki.call('PATCH', '/v1/settings', { token: ada.token, json });
  const paths = (pages: { path: string }[]) => pages.map(({ path }) => path);

  test('only administrators read reports, and a new wiki has nothing to report', async () => {
    const bob = await wiki.signedIn('Bob');
    expect((await wiki.call('GET', '/v1/reports')).status).toBe(401);
    expect((await wiki.call('GET', '/v1/reports', { token: bob.token })).status).toBe(403);
    expect((await bob.get('/settings/reports')).status).toBe(403);
    expect((await wiki.call('GET', '/v1/reports?after=x', { token: ada.token })).status).toBe(400);
    expect(await reports()).toEqual({
      ...{ review: [], reviewTotal: 0, orphans: [], nextOrphans: null, checksLinks: false, deadLinks: [] },
      ...{ counts: false, mostRead: [], searches: [] },
    });
    expect((await ada.get('/settings/reports')).text).toContain(
      '<a href="/settings#reports">Turn checks on</a>',
    );
  });

  test('orphans are listed until another page links to them', async () => {
    await wiki.page(ada.token, { title: 'Home', body: '[[Linked]] [[/by-path]]' });
    await wiki.page(ada.token, { title: 'Linked', body: '[[Linked]] links to itself' });
    await wiki.page(ada.token, { title: 'By path' });
    await wiki.page(ada.token, { title: 'Alone', body: '[[Alone]]', reviewBy: '2026-05-01' });
    await wiki.page(ada.token, { title: 'Box', path: '/templates/box', type: 'Template' });
    const found = await reports();
    expect([paths(found.orphans), paths(found.review), found.reviewTotal]).toEqual([
      ['/alone'],
      ['/alone'],
      1,
    ]);
    expect(await reports(`?after=${found.orphans[0].id}`)).toMatchObject({ orphans: [], nextOrphans: null });
    expect((await ada.get('/settings/reports')).text).toMatch(/<h2>[^<]+<span class="count">1<\/span><\/h2>/);
    await wiki.page(ada.token, { title: 'Guide', body: '[[Alone]]' });
    expect(paths((await reports()).orphans)).toEqual(['/guide']);
    // Every page shows the links of the settings.
    await set({ menu: [{ label: 'Guide', to: '/guide#top' }] });
    expect(paths((await reports()).orphans)).toEqual([]);
    await set({ menu: [] });
  });

  test('orphans come in bounded pieces', async () => {
    const { reports } = wiki.app.service.store;
    const all: number[] = [];
    let after: number | null = 0;
    let pieces = 0;
    while (after !== null) {
      const { ids, next }: { ids: number[]; next: number | null } = await reports.orphans(after, 2, 1);
      all.push(...ids);
      after = next;
      pieces++;
    }
    expect(pieces).toBeGreaterThan(2);
    expect(all).toEqual((await reports.orphans(0, 1000, 1000)).ids);
  });

  test('reads and vain searches are counted only if the setting says so, and hold nobody’s address', async () => {
    const { store, tally } = wiki.app.service;
    const visit = async () => {
      const reader = wiki.visitor();
      for (const path of ['/linked', '/linked', '/alone', '/', '/nowhere', '/search?text=Opening++hours'])
        await reader.get(path);
      await reader.get('/alone', { 'sec-purpose': 'prefetch' });
      await storeCounts(store, tally, now);
    };
    await visit();
    expect(await reports()).toMatchObject({ counts: false, mostRead: [], searches: [] });
    expect((await set({ statistics: true })).status).toBe(200);
    await visit();
    await visit();
    const found = await reports();
    expect(
      found.mostRead.map((one: { page: { path: string }; reads: number }) => [one.page.path, one.reads]),
    ).toEqual([
      ['/linked', 4],
      ['/home', 2],
      ['/alone', 2],
    ]);
    expect(found.searches).toMatchObject([{ words: 'opening hours', times: 2 }]);
    expect((await ada.get('/settings/reports')).text).toContain('opening hours');
    // Pages in the trash take no places of the list.
    const { trash } = (await wiki.call('DELETE', '/v1/pages/linked', { token: ada.token })).json;
    expect((await store.reports.mostRead('2026-05', 2)).map(({ reads }) => reads)).toEqual([2, 2]);
    await wiki.call('POST', `/v1/trash/${trash.id}/restore`, { token: ada.token, json: {} });
    // After a year nothing of it is left.
    now += 400 * day;
    ada = { ...ada, ...(await wiki.signedIn('Ada 2', { isAdmin: true })) };
    tally.searchedInVain('boats');
    await storeCounts(store, tally, now);
    expect(await reports()).toMatchObject({ mostRead: [], searches: [{ words: 'boats' }] });
    await set({ statistics: false });
    now += 100 * day;
    await storeCounts(store, tally, now, true);
    expect(await store.reports.vainSearches(1)).toEqual([]);
    ada = { ...ada, ...(await wiki.signedIn('Ada 3', { isAdmin: true })) };
  });

  test('links to other sites are checked once a round if the setting says so, and mended ones leave the list', async () => {
    const { store, renderer } = wiki.app.service;
    using outgoing = createOutgoing({ allowed: readAllowed(`127.0.0.1:${port}`) ?? [], userAgent: 'test' });
    const checking = { store, renderer, outgoing, ownUrl: 'https://wiki.example' };
    const at = `http://127.0.0.1:${port}`;
    const check = async () => {
      asked.length = 0;
      while ((await checkSomeLinks(checking, now)) > 0);
      return asked.toSorted();
    };
    isMended = false;
    const body = `${at}/gone [${at}/fine fine] ${at}/post ${at}/moved https://wiki.example/linked http://10.0.0.1/`;
    await wiki.page(ada.token, { title: 'Links', body });
    await wiki.page(ada.token, { title: 'Links too', format: 'markdown', body: `[gone](${at}/gone#there)` });
    expect(await check()).toEqual([]);
    expect((await set({ checkLinks: true })).status).toBe(200);
    // A request looks at the settings; the loop does so every second.
    expect((await reports()).checksLinks).toBe(true);
    expect(await check()).toEqual([
      ...['GET /gone', 'GET /post', 'HEAD /fine', 'HEAD /gone', 'HEAD /moved', 'HEAD /post'],
    ]);
    const { deadLinks } = await reports();
    expect(deadLinks).toMatchObject([
      { page: { path: '/links' }, url: `${at}/gone`, problem: 'Status 404' },
      { page: { path: '/links-too' }, url: `${at}/gone` },
    ]);
    expect((await ada.get('/settings/reports')).text).toContain('answered with status 404');
    expect(await check()).toEqual([]);
    const { trash } = (await wiki.call('DELETE', '/v1/pages/links', { token: ada.token })).json;
    expect((await store.reports.deadLinks(1)).map(({ pageId }) => pageId)).toEqual([deadLinks[1].page.id]);
    await wiki.call('POST', `/v1/trash/${trash.id}/restore`, { token: ada.token, json: {} });

    await wiki.call('POST', '/v1/pages/links', { token: ada.token, json: { body: 'No links' } });
    isMended = true;
    now += 8 * day;
    ada = { ...ada, ...(await wiki.signedIn('Ada 4', { isAdmin: true })) };
    // A process that stops ends after the request, and leaves the page to the next one.
    asked.length = 0;
    await checkSomeLinks(checking, now, () => asked.length > 0);
    expect(asked).toEqual(['HEAD /gone']);
    expect((await reports()).deadLinks).toMatchObject([{ page: { path: '/links-too' } }]);
    expect(await check()).toEqual(['HEAD /gone']);
    expect((await reports()).deadLinks).toEqual([]);
    await set({ checkLinks: false });
  });
});
