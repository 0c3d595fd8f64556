/** Secret links: who may make them, what they show to strangers and what not, and how they end. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines } from '../support/http.ts';
import { type Shown, startSite, type TestSite, type Visitor } from '../support/web.ts';

describe.each(engines)('on %s', (engine) => {
  let site: TestSite;
  type Member = Visitor & { token: string; id: number };
  let [root, ada, bob]: Member[] = [] as unknown as [Member, Member, Member];
  let stranger: Visitor;
  let now = Date.UTC(2026, 0, 1);

  beforeAll(async () => {
    site = await startSite({ COPPICE_PRIVATE: 'on' }, { engine, clock: () => (now += 1000) });
    root = await site.signedIn('Root', { isAdmin: true });
    ada = await site.signedIn('Ada');
    bob = await site.signedIn('Bob');
    stranger = site.visitor();
    const page = (title: string, body: string, more: object = {}, who = ada) =>
      site.page(who?.token ?? '', { title, body, permissions: 770, ...more });
    await page('Box', '<includeonly><div>Boxed {{{1}}}</div></includeonly>[[Type:Template]]');
    await page('Elsewhere', 'Nothing for strangers.');
    await page('Salaries', 'Much money.', { permissions: 700 }, root);
    await page(
      'Plan',
      [
        "'''Plan''' [[Elsewhere|another page]] [[/plan/step|the step]] [[Missing]] [https://example.org out]",
        '{{Box|text}} {{:Salaries}} {{Children}} {{Tagged|kind=tree}} [[kind:tree]] [[#Part]]',
        '== Part ==',
        '[[File:map.png]]',
      ].join('\n'),
    );
    await page('Step', 'First [[Plan]] and [[Draft]].', { parent: '/plan', path: '/plan/step' });
    await page('Draft', 'Not yet.', { parent: '/plan', path: '/plan/draft', permissions: 700 });
    const files = [{ file: { name: 'map.png', data: pixel } }];
    const attached = await call('POST', '/v1/pages/plan', ada, { files });
    expect(attached.status, attached.text).toBe(200);
    await call('POST', '/v1/pages/elsewhere', ada, { files });
  });
  afterAll(() => site.close());

  const fileIn = (text: string) => /"(\/files\/[^"]*)"/.exec(text)?.[1] ?? '';
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, who?: Member, json?: unknown) =>
    site.call(method, url, { ...(who ? { token: who.token } : {}), ...(json === undefined ? {} : { json }) });
  const make = async (json: object, who = ada) => {
    const made = await call('POST', '/v1/links', who, json);
    expect(made.status, made.text).toBe(200);
    return made.json as { id: number; url: string; page: string; beneath: boolean; expiresAt: string | null };
  };
  const open = (url: string, beyond = ''): Promise<Shown> => {
    const { pathname, search } = new URL(url + beyond, 'http://wiki.test');
    return stranger.get(pathname + search);
  };

  test('strangers read the page and nothing else of a private wiki, unseen by search engines and caches', async () => {
    const { id, url, ...rest } = await make({ page: '/plan' });
    expect(rest).toMatchObject({ page: '/plan', beneath: false, expiresAt: null });
    expect((await stranger.get('/plan')).status).toBe(303);
    const { status, text, headers } = await open(url);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      ...{ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' },
      'x-robots-tag': 'noindex',
    });
    expect(text).toContain('<b>Plan</b>');
    expect(text).toContain('Boxed text');
    expect(text).toMatch(/<a [^>]*href="https:\/\/example\.org"/);
    expect(text).toContain('another page');
    expect(text).toContain('href="#Part"');
    for (const hidden of [
      'Much money',
      '/elsewhere',
      '/plan/step',
      '/new',
      'Draft',
      '/search',
      '/tree',
      '/login',
    ])
      expect(text, hidden).not.toContain(hidden);
    // Files of the page are read by the link alone.
    const file = /src="([^"]*\/files\/[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(file).toContain('?link=');
    expect((await stranger.get(file)).status).toBe(200);
    expect((await stranger.get(file)).headers['cache-control']).toBe('private, no-store');
    expect((await stranger.get(file.split('?')[0] ?? '')).status).toBe(404);
    const other = fileIn((await call('GET', '/v1/pages/elsewhere', ada)).text);
    expect((await stranger.get(`${other}${file.slice(file.indexOf('?'))}`)).status).toBe(404);
    // Uses are counted, and the list has no URL.
    const [listed] = (await call('GET', '/v1/links?page=/plan', ada)).json;
    expect(listed).toEqual({
      ...{ id, page: '/plan', beneath: false, expiresAt: null, uses: 1, madeBy: 'Ada' },
      ...{ createdAt: expect.any(String), lastUsedAt: expect.any(String) },
    });
    for (const more of ['/1', '/999', '/x', '/step']) expect((await open(url, more)).status, more).toBe(404);
  });

  test('a link with the pages beneath shows those that everybody may read who may read the page', async () => {
    const { url } = await make({ page: '/plan', beneath: true });
    const { text } = await open(url);
    const step = /href="([^"]*)"[^>]*>the step</.exec(text)?.[1] ?? '';
    expect(step).toMatch(/^\/by-link\/[\w-]+\/\d+$/);
    expect(text).toContain('>Step</a>');
    expect(text).not.toContain('Draft');
    const shown = await stranger.get(step);
    expect(shown.status).toBe(200);
    expect(shown.text).toMatch(/href="\/by-link\/[\w-]+"[^>]*>Plan</);
    expect(shown.text).not.toContain('/plan');
    const draft = (await call('GET', '/v1/pages/plan/draft', ada)).json.page.id;
    expect((await open(url, `/${draft}`)).status).toBe(404);
    // A search costs strangers as much as any other.
    const strangersMs = (url: string) =>
      site.app.routes.routes.find((route) => route.url === url && route.method === 'GET')?.config
        ?.strangersMs;
    expect(['/by-link/:secret', '/by-link/:secret/:id'].map(strangersMs)).toEqual(
      Array(2).fill(strangersMs('/v1/pages')),
    );
    // It finds what the link shows, and nothing else of the wiki.
    expect(text).toContain('role="search"');
    const listedIn = (shown: string) =>
      [
        ...(/<nav class="linked-list"[\s\S]*?<\/nav>/.exec(shown)?.[0] ?? '').matchAll(/<a href="([^"]*)"/g),
      ].map(([, href]) => href);
    expect(listedIn((await open(url, '?text=step')).text)).toEqual([step]);
    for (const words of ['yet', 'strangers', 'stepp']) {
      const { text: searched } = await open(url, `?text=${words}`);
      expect([words, listedIn(searched)]).toEqual([words, []]);
      expect(searched).toContain('Nothing found.');
    }
    // Somebody else’s page beneath, and a page that moved away, are not shown.
    const hidden = await site.page(root?.token ?? '', { title: 'Own', parent: '/plan', permissions: 700 });
    expect((await open(url, `/${hidden.id}`)).status).toBe(404);
    const moved = await call('POST', '/v1/pages/plan/step', ada, { parent: null, path: '/step' });
    expect(moved.status).toBe(200);
    expect((await stranger.get(step)).status).toBe(404);
  });

  test('a title leads to the page that is shown, although an older one of its maker is hidden', async () => {
    const add = (title: string, more: object) =>
      site.page(root?.token ?? '', { title, permissions: 770, ...more });
    await add('Tools', { path: '/own-tools', permissions: 700 });
    await add('Rules', { path: '/rules-of-all' });
    await add('Shed', { body: '[[Tools|the tools]] [[Rules|the rules]]', language: 'he' });
    const { id } = await add('Tools', { parent: '/shed' });
    await add('Rules', { parent: '/shed' });
    const { text } = await open((await make({ page: '/shed', beneath: true }, root)).url);
    expect(text).toContain('<div class="markup" lang="he" dir="rtl">');
    expect(/href="([^"]*)"[^>]*>the tools</.exec(text)?.[1]).toMatch(new RegExp(`^/by-link/[\\w-]+/${id}$`));
    // A title that leads every reader elsewhere leads nowhere.
    expect(text).not.toMatch(/href="[^"]*"[^>]*>the rules</);
    expect(text).toContain('the rules');
  });

  test('a link ends by revocation, by its end, and when its page is hidden, deleted or no longer its maker’s', async () => {
    let mortals = 0;
    const dies = async (
      act: (link: { id: number; url: string }, path: string) => Promise<unknown>,
      more = {},
    ) => {
      const { path } = await site.page(bob?.token ?? '', { title: `Mortal ${++mortals}`, permissions: 770 });
      const link = await make({ page: path, ...more }, bob);
      expect((await open(link.url)).status).toBe(200);
      await act(link, path);
      const after = await open(link.url);
      expect([after.status, after.text.includes('Mortal')], String(act)).toEqual([404, false]);
      return { link, path };
    };
    await dies(({ id }) => call('DELETE', `/v1/links/${id}`, bob));
    await dies(async () => (now += 60_000), { expiresAt: new Date(now + 50_000).toISOString() });
    await dies((_, path) => call('POST', `/v1/pages${path}`, bob, { permissions: 700 }));
    const become = (role: string) => call('PATCH', `/v1/members/${bob?.id}`, root, { role });
    await dies(() => become('reader'));
    await become('writer');
    await dies(() => call('POST', `/v1/members/${bob?.id}/block`, root, { reason: 'Spam.' }));
    await call('DELETE', `/v1/members/${bob?.id}/block`, root);
    await dies(() => site.app.service.store.members.update(bob?.id ?? 0, { isActive: false }));
    await site.app.service.store.members.update(bob?.id ?? 0, { isActive: true });
    bob = await site.signedIn('Bob again');
    // A restored page does not bring back the link.
    const { link } = await dies((_, path) => call('DELETE', `/v1/pages${path}`, bob));
    const [trashed] = (await call('GET', '/v1/trash', bob)).json;
    expect((await call('POST', `/v1/trash/${trashed.id}/restore`, bob, {})).status).toBe(200);
    expect((await open(link.url)).status).toBe(404);
    // More readers end nothing.
    const wide = await site.page(bob?.token ?? '', { title: 'Wide', permissions: 700 });
    const kept = await make({ page: wide.path }, bob);
    await call('POST', `/v1/pages${wide.path}`, bob, { permissions: 770 });
    expect((await open(kept.url)).status).toBe(200);
  });

  test('only the owner of a page and administrators make, see and revoke its links', async () => {
    const { id } = await make({ page: '/salaries' }, root);
    expect((await call('POST', '/v1/links', ada, { page: '/salaries' })).status).toBe(404);
    expect((await call('GET', '/v1/links?page=/salaries', ada)).status).toBe(404);
    expect((await call('DELETE', `/v1/links/${id}`, ada)).status).toBe(404);
    expect((await call('POST', '/v1/links', bob, { page: '/plan' })).status).toBe(401);
    expect((await call('GET', '/v1/links?page=/plan', bob)).status).toBe(401);
    expect((await call('POST', '/v1/links', undefined, { page: '/plan' })).status).toBe(401);
    expect((await call('GET', '/v1/links')).status).toBe(401);
    const paths = async (who: Member) =>
      new Set(((await call('GET', '/v1/links', who)).json as { page: string }[]).map(({ page }) => page));
    expect([...(await paths(ada as Member))]).toEqual(['/plan']);
    expect((await paths(root as Member)).has('/salaries')).toBe(true);
    for (const json of [
      {},
      { page: '/plan', expiresAt: 'soon' },
      { page: '/plan', expiresAt: '2020-01-01T00:00:00Z' },
      { page: '/plan', beneath: 'maybe' },
    ])
      expect((await call('POST', '/v1/links', ada, json)).status, JSON.stringify(json)).toBe(400);
    expect((await call('DELETE', `/v1/links/${id}`, root)).status).toBe(204);
    expect((await call('DELETE', `/v1/links/${id}`, root)).status).toBe(404);
    const { text } = await call('GET', '/v1/audit?kind=secret-link-revoked', root);
    expect(text).toContain('/salaries');
  });

  test('links are made and revoked on the site, and each URL is shown once', async () => {
    const made = await (ada as Member).post('/secret-links/plan', { make: 'yes', days: '7', beneath: 'yes' });
    const url = /value="([^"]*\/by-link\/[^"]*)"/.exec(made.text)?.[1] ?? '';
    expect((await open(url)).status).toBe(200);
    const listed = await (ada as Member).get('/secret-links/plan');
    expect(listed.text).not.toContain('/by-link/');
    expect(listed.text).toContain('with the pages beneath');
    const id = /name="revoke" value="(\d+)"/.exec(listed.text)?.[1] ?? '';
    expect((await (ada as Member).post('/secret-links/plan', { revoke: id })).status).toBe(303);
    const ended = await open(url);
    expect(ended.status).toBe(404);
    expect(ended.text).toContain('Ask the person who sent you the link');
    expect((await (bob as Member).get('/secret-links/plan')).status).toBe(403);
    expect((await stranger.get('/secret-links/plan')).status).toBe(303);
  });

  test('two links made at once both work, and concurrent uses are all counted', async () => {
    const both = await Promise.all([make({ page: '/plan' }), make({ page: '/plan' })]);
    const uses = await Promise.all(both.flatMap(({ url }) => [open(url), open(url), open(url)]));
    expect(uses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    const listed = (await call('GET', '/v1/links?page=/plan', ada)).json as { id: number; uses: number }[];
    for (const { id } of both) expect(listed.find((one) => one.id === id)?.uses).toBe(3);
  });
});

test('guessing secret addresses is limited, and existing links still work', async () => {
  const site = await startSite({ COPPICE_RATE_LIMIT: 'on' });
  try {
    const ada = await site.signedIn('Ada');
    await site.page(ada.token, { title: 'Plan', permissions: 700 });
    const { url } = (await site.call('POST', '/v1/links', { token: ada.token, json: { page: '/plan' } }))
      .json;
    const stranger = site.visitor();
    const statuses = new Set<number>();
    for (let i = 0; i < 70; i++) statuses.add((await stranger.get(`/by-link/guess${i}`)).status);
    expect([...statuses]).toEqual([404, 429]);
    expect((await stranger.get(new URL(url, 'http://wiki.test').pathname)).status).toBe(200);
  } finally {
    await site.close();
  }
});
