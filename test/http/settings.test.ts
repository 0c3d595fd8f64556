/** Settings of the site, and the wiki that only members read. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type App, buildApp } from '#run/app.ts';
import { engines } from '../support/http.ts';
import { startSite, type TestSite, type Visitor } from '../support/web.ts';

describe.each(engines)('on %s', (engine) => {
  let site: TestSite;
  let root: Visitor & { token: string };
  let ada: Visitor & { token: string };
  let max: Visitor & { token: string };
  let other: App;

  beforeAll(async () => {
    site = await startSite({}, { engine });
    root = await site.signedIn('Root', { isAdmin: true });
    ada = await site.signedIn('Ada');
    max = await site.signedIn('Max');
    // A second process on the same data.
    other = await buildApp(site.config, { logger: site.logger });
  });
  afterAll(async () => {
    await other.close();
    await site.close();
  });

  beforeEach(() => setPrivate(false));

  const setPrivate = (isPrivate: boolean, token = root.token) =>
    site.call('PATCH', '/v1/settings', { token, json: { private: isPrivate } });

  test('everybody reads the settings, administrators change them, and the audit log records it', async () => {
    expect((await site.call('GET', '/v1/settings')).json).toMatchObject({ private: false, fixed: [] });
    expect((await setPrivate(true, ada.token)).status).toBe(403);
    expect((await site.call('PATCH', '/v1/settings', { json: { private: true } })).status).toBe(401);
    for (const json of [{ private: 'yes' }, { private: null }, [], 7])
      expect((await site.call('PATCH', '/v1/settings', { token: root.token, json })).status).toBe(400);
    expect((await setPrivate(true)).json).toMatchObject({ private: true, fixed: [] });
    expect((await site.call('GET', '/v1/settings')).json.private).toBe(true);
    await setPrivate(true);
    const { entries } = (await site.call('GET', '/v1/audit?kind=settings-changed', { token: root.token }))
      .json;
    expect(entries).toMatchObject([
      { kind: 'settings-changed', note: 'on', subject: { name: 'private' }, actor: { name: 'Root' } },
    ]);
    await setPrivate(false);
  });

  test('making a wiki private or public takes effect at once, in every process', async () => {
    const page = await site.page(ada.token, { title: 'Open', body: 'words for all', permissions: 774 });
    const picture = await site.call('POST', '/v1/pages/open', {
      token: ada.token,
      json: { files: { file: { name: 'notes.txt', data: Buffer.from('words').toString('base64') } } },
    });
    const file = picture.json.page.files[0].urls.full;
    const seen = async () => {
      const statuses: Record<string, number> = {};
      for (const url of ['/v1/pages/open', '/v1/pages/open?format=md', file, `/v1/history/open`])
        for (const [name, app] of Object.entries({ here: site.app, there: other }))
          statuses[`${name} ${url}`] = (await app.server.inject({ url })).statusCode;
      return new Set(Object.values(statuses));
    };
    expect(await seen()).toEqual(new Set([200]));
    await setPrivate(true);
    expect(await seen()).toEqual(new Set([404]));
    for (const url of [
      '/v1/pages?path=/',
      '/v1/updates',
      '/v1/children',
      '/v1/requested',
      '/v1/near/0/0/20000000',

      '/v1/files',
    ])
      expect((await site.call('GET', url)).json, url).toEqual([]);
    expect((await site.call('GET', '/v1/changes')).json.changes).toEqual([]);
    for (const url of ['/v1/openapi.json', '/v1/docs', '/healthz', '/readyz'])
      expect((await site.app.server.inject({ url })).statusCode, url).toBe(200);
    const mine = await site.call('GET', file, { token: max.token });
    expect([mine.status, mine.headers['cache-control']]).toEqual([200, 'private, no-store']);
    expect((await site.call('GET', '/v1/pages/open', { token: max.token })).json.page.id).toBe(page.id);
    const sites = await root.get('/v1/export?format=jsonl');
    expect(sites.text).toContain('words for all');
    expect(sites.text).not.toContain('"permissions":774');
    await setPrivate(false);
    expect(await seen()).toEqual(new Set([200]));
  });

  test('the third digit counts as 0: readers and writers only by this digit lose access', async () => {
    await site.page(ada.token, { title: 'Only world', permissions: 706 });
    const read = async (who: { token: string }) =>
      (await site.call('GET', '/v1/pages/only-world', { token: who.token })).status;
    const write = async (who: { token: string }) =>
      (await site.call('POST', '/v1/pages/only-world', { token: who.token, json: { body: 'x' } })).status;
    expect([await read(max), await write(max)]).toEqual([200, 200]);
    await setPrivate(true);
    expect([await read(max), await write(max), await read(ada), await write(ada)]).toEqual([
      404, 401, 200, 200,
    ]);
    await site.page(ada.token, { title: 'Later', permissions: 704 });
    expect((await site.call('GET', '/v1/pages/later', { token: max.token })).status).toBe(404);
    expect(await site.app.service.store.maintenance.violations(9)).toEqual([]);
    await setPrivate(false);
    expect([await read(max), await write(max)]).toEqual([200, 200]);
    expect((await site.call('GET', '/v1/pages/later', { token: max.token })).status).toBe(200);
    expect(await site.app.service.store.maintenance.violations(9)).toEqual([]);
  });

  test('new pages are for members by every way to create them', async () => {
    await setPrivate(true);
    const alone = await site.page(ada.token, { title: 'Alone' });
    const batch = await site.call('POST', '/v1/batch', {
      token: ada.token,
      json: {
        operations: ['A1', 'A2'].map((title) => ({ method: 'POST', path: '/v1/pages', body: { title } })),
      },
    });
    const pages = [alone, ...batch.json.results.map(({ body }: { body: object }) => body)];
    expect(pages.map(({ permissions }) => permissions)).toEqual([770, 770, 770]);
    const form = (await ada.get('/new')).text;
    expect(form).toContain('Publishes the page: members can read and edit.');
    expect(form).toContain('As usual: members can read and edit');
    // Both give members the same now, and not once the wiki is public.
    expect(form).toMatch(/value="770">Members can read and edit</);
    expect(form).toMatch(/value="774">Members can read and edit; anyone can read once the wiki is public</);
    expect((await ada.post('/new', { title: 'By form', body: 'x', intent: 'save' })).status).toBe(303);
    expect((await site.pageAt('/by-form', max.token)).permissions).toBe(770);
    await site.page(ada.token, { title: 'Given', permissions: 774 });
    expect((await ada.get('/given')).text).toContain('Members can read and edit');
    await setPrivate(false);
    expect((await site.call('GET', '/v1/pages/alone')).status).toBe(404);
    expect((await site.call('GET', '/v1/pages/given')).status).toBe(200);
  });

  test('strangers are asked to sign in, and then see the requested page', async () => {
    await site.page(ada.token, { title: 'Wanted page', body: 'at last', permissions: 774 });
    expect((await site.visitor().get('/wanted-page')).status).toBe(200);
    await setPrivate(true);
    const stranger = site.visitor();
    for (const url of [
      '/',
      '/wanted-page',
      '/nothing-here',
      '/search?text=at',
      '/updates',
      '/tree',
      '/atom',
      '/sitemap.xml',
      '/llms.txt',
      '/edit/wanted-page',
      '/map',
    ]) {
      const { status, location, text } = await stranger.get(url);
      expect([status, location], url).toEqual([303, `/login?next=${encodeURIComponent(url)}`]);
      expect(text).not.toContain('at last');
    }
    expect((await stranger.get('/robots.txt')).text).toBe('User-agent: *\nDisallow: /\n');
    const login = await stranger.get('/login?next=/wanted-page');
    expect(login.status).toBe(200);
    expect(login.text).toContain('This wiki is private. Sign in to read it.');
    // No link or search that would lead back here.
    expect(login.text).not.toMatch(/href="\/(?:tree|updates|map)"|action="\/search"/);
    expect((await max.get('/wanted-page')).text).toMatch(
      /href="\/tree"[\s\S]*action="\/search"|action="\/search"[\s\S]*href="\/tree"/,
    );
    expect((await stranger.post('/new', { title: 'x', body: 'y' })).status).toBe(401);
    expect((await max.get('/wanted-page')).text).toContain('at last');
    await setPrivate(false);
  });

  test('the imprint and the privacy policy of a private wiki are for everybody, and nothing else is', async () => {
    await setPrivate(true);
    const edit = (path: string, json: object) =>
      site.call('POST', `/v1/pages/${path}`, { token: ada.token, json });
    await site.page(ada.token, { title: 'Hidden matter', body: 'not for strangers', permissions: 774 });
    const hidden = await edit('hidden-matter', { files: { file: { name: 'plan.txt', data: 'cGxhbg==' } } });
    await site.page(ada.token, { title: 'Imprint', body: 'draft', permissions: 770 });
    const seal = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
    const { json } = await edit('imprint', {
      files: { file: { name: 'seal.svg', data: Buffer.from(seal).toString('base64') } },
      body: "'''Elm Club''' [[Hidden matter]] [[Data we keep]] {{:Hidden matter}} [[File:seal.svg]]",
    });
    await site.page(ada.token, {
      title: 'Data we keep',
      body: 'Nothing. [[Imprint]]',
      permissions: 770,
      language: 'he',
    });
    const set = { what: 'links', imprint: 'http://wiki.test/imprint', privacy: '/data-we-keep#cookies' };
    expect((await root.post('/settings', set)).status).toBe(303);
    expect((await root.get('/settings')).text).toContain('value="/imprint"');

    const stranger = site.visitor();
    const shown = await stranger.get('/imprint');
    expect([shown.status, shown.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(shown.text).toContain('<b>Elm Club</b>');
    expect(shown.text).toContain('<div class="markup" lang="en" dir="auto">');
    expect((await stranger.get('/data-we-keep')).text).toContain('<div class="markup" lang="he" dir="rtl">');
    expect(shown.text).toContain('<a href="/data-we-keep">Data we keep</a>');
    expect(shown.text).not.toMatch(/not for strangers|href="\/hidden-matter|href="\/tree"|Ada/);
    const file = (answer: typeof hidden) => answer.json.page.files[0].urls.full;
    expect((await site.call('GET', file({ ...hidden, json }))).status).toBe(200);
    expect((await site.call('GET', file(hidden))).status).toBe(404);
    expect((await site.call('GET', '/v1/pages/imprint')).status).toBe(404);
    for (const url of ['/hidden-matter', '/imprint?proposal=1', '/history/imprint', '/edit/imprint'])
      expect((await stranger.get(url)).status, url).toBe(303);
    // Everything that says who can read it says so.
    expect((await max.get('/imprint')).text).toContain('Anyone can read');
    expect((await ada.get('/edit/imprint')).text).toMatch(/id="permissions-brief">Anyone can read/);
    const access = await site.call('GET', '/v1/access/imprint?as=stranger', { token: ada.token });
    expect(access.json.summary).toMatch(/^Anyone can read/);
    expect(access.json.check.read).toEqual({ allowed: true, because: [{ by: 'settings' }] });

    // It stays where the settings say after a move, and is for everybody in a public wiki, too.
    expect((await edit('imprint', { path: '/about-us' })).status).toBe(200);
    await setPrivate(false);
    for (const url of ['/imprint', '/data-we-keep']) expect((await stranger.get(url)).status, url).toBe(200);
    await setPrivate(true);
    expect((await stranger.get('/imprint')).text).toContain('Elm Club');
    expect((await stranger.get('/about-us')).status).toBe(303);
    // It is no page for strangers that members cannot read.
    await edit('about-us', { permissions: 700 });
    expect((await stranger.get('/imprint')).status).toBe(303);
    expect((await site.call('GET', file({ ...hidden, json }))).status).toBe(404);
    await root.post('/settings', { what: 'links', imprint: '', privacy: '' });
    expect((await stranger.get('/data-we-keep')).status).toBe(303);
  });

  test('making a wiki public lists the affected pages and asks first; the environment can decide instead', async () => {
    const settings = await root.get('/settings');
    expect(settings.text).toContain('Make the wiki private');
    expect((await ada.get('/settings')).status).toBe(403);
    expect((await root.post('/settings', { what: 'close' })).status).toBe(303);
    const listed = (await root.get('/settings')).text;
    const [, total = ''] = /name="seen" value="(\d+)"/.exec(listed) ?? [];
    expect(Number(total)).toBe(
      (await site.call('GET', '/v1/settings/public-pages', { token: root.token })).json.total,
    );
    expect(listed).toContain('<a href="/wanted-page"');
    expect(listed).not.toContain('<a href="/alone"');
    const unseen = await root.post('/settings', { what: 'open' });
    expect([unseen.status, unseen.text]).toEqual([400, expect.stringContaining('Read the list of pages')]);
    expect((await site.call('GET', '/v1/settings')).json.private).toBe(true);
    expect((await root.post('/settings', { what: 'open', seen: total })).status).toBe(303);
    expect((await site.call('GET', '/v1/settings')).json.private).toBe(false);
    expect((await site.call('GET', '/v1/settings/public-pages', { token: ada.token })).status).toBe(403);
  });
});

test('a damaged setting neither opens the wiki nor prevents a start', async () => {
  const site = await startSite();
  await site.app.service.store.settings.write({ private: 'perhaps' as unknown as boolean }, 1, null);
  expect((await site.call('GET', '/v1/settings')).json.private).toBe(true);
  const again = await buildApp(site.config, { logger: site.logger });
  expect((await again.server.inject({ url: '/v1/settings' })).json().private).toBe(true);
  await again.close();
  await site.close();
});

test('an invitation cannot make the wiki private or public, also at the address of the set-up link', async () => {
  const site = await startSite();
  const root = await site.signedIn('Root', { isAdmin: true });
  const { json } = await site.call('POST', '/v1/invitations', { token: root.token, json: {} });
  const fields = { email: 'eve@example.org', name: 'Eve', private: 'yes' };
  const pass = 'a long enough passphrase';
  const joined = await site.visitor().post(`/setup/${json.token}`, { ...fields, pass, 'pass-again': pass });
  expect(joined.status).toBe(303);
  expect((await site.call('GET', '/v1/settings')).json.private).toBe(false);
  await site.close();
});

test('the person who sets up the wiki decides who may read it', async () => {
  const site = await startSite();
  const setup = await site.app.ensureSetupInvitation();
  const stranger = site.visitor();
  expect((await stranger.get(`/setup/${setup}`)).text).toContain('Who may read this wiki');
  const fields = {
    email: 'ada@example.org',
    name: 'Ada',
    pass: 'a long enough passphrase',
    'pass-again': 'a long enough passphrase',
  };
  const refused = await stranger.post(`/setup/${setup}`, {
    ...fields,
    pass: 'short',
    'pass-again': 'short',
    private: 'yes',
  });
  expect(refused.text).toContain('value="yes" checked');
  expect((await site.call('GET', '/v1/settings')).json.private).toBe(false);
  expect((await stranger.post(`/setup/${setup}`, { ...fields, private: 'yes' })).status).toBe(303);
  expect((await site.call('GET', '/v1/settings')).json.private).toBe(true);
  expect((await site.visitor().get('/')).location).toBe('/login?next=%2F');
  await site.close();
});

test('the environment takes precedence: the switch is shown as fixed, and stays when the variable is removed', async () => {
  const site = await startSite({ COPPICE_PRIVATE: 'on' });
  const root = await site.signedIn('Root', { isAdmin: true });
  expect((await site.call('GET', '/v1/settings')).json).toMatchObject({ private: true, fixed: ['private'] });
  const refused = await site.call('PATCH', '/v1/settings', { token: root.token, json: { private: false } });
  expect([refused.status, refused.json.errors[0].pointer]).toEqual([400, '/private']);
  expect(refused.json.detail).toContain('COPPICE_PRIVATE');
  expect((await root.get('/settings')).text).toContain('COPPICE_PRIVATE');
  const free = await buildApp({ ...site.config, fixed: {} }, { logger: site.logger });
  expect((await free.server.inject({ url: '/v1/settings' })).json()).toMatchObject({
    private: true,
    fixed: [],
  });
  await free.close();
  await site.close();
});
