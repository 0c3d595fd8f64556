/** The look of the site, its links and texts, and how people join, as settings that count at once. */
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addMember } from '#core/members/manage-members.ts';
import { initialSettings } from '#core/model/settings.ts';
import { type App, buildApp } from '#run/app.ts';
import { tidy } from '#run/housekeeping.ts';
import { renewPiece } from '#run/search-renewal-loop.ts';
import { engines, multipartOf } from '../support/http.ts';
import { startSite, type TestSite, type Visitor } from '../support/web.ts';

describe.each(engines)('on %s', (engine) => {
  let now = Date.UTC(2026, 2, 14, 9);
  let site: TestSite;
  let root: Visitor & { token: string };
  let other: App;

  beforeAll(async () => {
    site = await startSite({}, { engine, clock: () => now });
    root = await site.signedIn('Root', { isAdmin: true });
    other = await buildApp(site.config, { logger: site.logger, clock: () => now });
    await site.page(root.token, { title: 'Home', path: '/home', body: 'Welcome to {{SITENAME}}.' });
  });
  afterAll(async () => {
    await other.close();
    await site.close();
  });

  const change = (json: object, token = root.token) => site.call('PATCH', '/v1/settings', { token, json });
  const shown = async (url: string) => {
    const pages = await Promise.all(
      [site.app, other].map(
        async ({ server }) => (await server.inject({ url, headers: { host: 'wiki.test' } })).payload,
      ),
    );
    return pages;
  };

  test('synonyms take effect in every process, and are shown in the audit log and the form', async () => {
    await site.page(root.token, { title: 'Lorry', body: 'It carries apples.' });
    for (const found of await shown('/search?text=truck')) expect(found).not.toContain('Lorry');
    const form = { what: 'search', synonyms: 'lorry, truck\r\n\r\n卡车、lorry' };
    expect((await root.post('/settings', form)).status).toBe(303);
    for (const query of ['truck', encodeURIComponent('卡车')])
      for (const found of await shown(`/search?text=${query}`)) expect(found).toContain('<mark>Lorry</mark>');
    expect((await root.get('/settings')).text).toContain('>\nlorry, truck\n卡车, lorry</textarea>');
    const { json } = await site.call('GET', '/v1/audit?kind=settings-changed&limit=1', { token: root.token });
    expect(JSON.stringify(json)).toContain('lorry');
    expect((await root.get('/members/audit?kind=settings-changed')).text).toContain('<bdi>Synonyms</bdi>');
    const refused = await root.post('/settings', { what: 'search', synonyms: 'alone' });
    expect([refused.status, refused.text.includes('>\nalone</textarea>')]).toEqual([400, true]);
    await change({ synonyms: [] });
  });

  test('in read-only mode every process serves reads and refuses all writes but changes of settings', async () => {
    const page = await site.page(root.token, { title: 'Kept', path: '/kept', body: 'As it was.' });
    const ann = await site.member('Ann');
    const pass = 'nine owls share one barn';
    const { store, passphrases } = site.app.service;
    for (const name of ['Bold', 'Cid']) {
      const fields = { name, email: `${name}@example.org`, passphrase: pass, isAdmin: name === 'Bold' };
      await addMember(store, passphrases, fields, now);
    }
    expect((await change({ readOnly: true }, ann.token)).status).toBe(403);
    expect((await change({ readOnly: 'yes' })).status).toBe(400);
    expect((await change({ readOnly: true })).json.readOnly).toBe(true);
    for (const { server } of [other, site.app]) {
      const ask = async (method: 'GET' | 'POST' | 'DELETE', url: string, body?: object) => {
        const headers = { host: 'wiki.test', authorization: `Bearer ${root.token}` };
        return server.inject({ method, url, headers, ...(body ? { payload: body } : {}) });
      };
      expect((await ask('GET', '/v1/pages/kept')).json().markup).toContain('As it was.');
      expect((await ask('GET', '/v1/changes?limit=1000')).json().changes.at(-1).page.path).toBe('/kept');
      const refused = await ask('POST', '/v1/pages/kept', { body: 'Other.' });
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '60']);
      expect(refused.json().detail).toContain('The wiki is read-only at the moment');
      expect((await ask('POST', '/v1/pages', { title: 'New' })).statusCode).toBe(503);
      expect((await ask('DELETE', '/v1/pages/kept')).statusCode).toBe(503);
      const batch = {
        atomic: true,
        operations: [{ method: 'POST', path: '/v1/pages', body: { title: 'New' } }],
      };
      expect((await ask('POST', '/v1/batch', batch)).json().results?.[0].status ?? 503).toBe(503);
      expect((await ask('GET', '/readyz')).json()).toMatchObject({ status: 'read-only', reads: 'ok' });
    }
    // Chores of the server wait instead of failing.
    expect(await Promise.all([tidy(site.app.service, site.config, now), renewPiece(store)])).toEqual([
      0,
      'read-only',
    ]);
    for (const shownPage of await shown('/kept'))
      expect(shownPage).toContain('This wiki is read-only at the moment.');
    const signIn = (name: string) =>
      site.call('POST', '/v1/members/auth', { json: { email: `${name}@example.org`, pass }, mayFail: true });
    expect([(await signIn('Bold')).status, (await signIn('Cid')).status]).toEqual([200, 503]);
    expect((await root.get('/settings')).text).toContain('Allow changes again');
    expect((await root.post('/settings', { what: 'resume' })).status).toBe(303);
    const saved = await site.call('POST', `/v1/pages${page.path}`, {
      token: root.token,
      json: { body: 'Other.' },
    });
    expect([saved.status, saved.json.page.history.length]).toEqual([200, 2]);
  });

  test('name, links, licence and announcement are on every page of every process at once', async () => {
    for (const page of await shown('/home')) expect(page).toContain('Welcome to Coppice.');
    const json = {
      name: '  Alder Valley ',
      menu: [{ label: 'Handbook', to: '/handbook' }],
      footer: [{ label: 'Shop <1>', to: 'https://shop.example.org/?a=1&b=2' }],
      imprint: '/imprint',
      privacy: 'https://example.org/privacy',
      licence: { name: 'CC BY-SA 4.0', url: 'https://creativecommons.org/licenses/by-sa/4.0/' },
      announcement: { text: 'We move on Saturday.' },
    };
    const changed = await change(json);
    expect(changed.json).toMatchObject({ ...json, name: 'Alder Valley', announcement: { until: null } });
    for (const page of await shown('/home')) {
      expect(page).toContain('<title>Home · Alder Valley</title>');
      expect(page).toContain('Welcome to Alder Valley.');
      expect(page).toContain('<a href="/handbook" dir="auto">Handbook</a>');
      expect(page).toContain('<a href="https://shop.example.org/?a=1&amp;b=2" dir="auto">Shop &lt;1&gt;</a>');
      expect(page).toContain('<a href="/imprint" dir="auto">Imprint</a>');
      expect(page).toContain('<a href="https://example.org/privacy" dir="auto">Privacy</a>');
      expect(page).toContain('rel="license">CC BY-SA 4.0</a>');
      expect(page).toContain('We move on Saturday.');
    }
    expect((await site.call('GET', '/v1/settings')).json.name).toBe('Alder Valley');
  });

  test('an announcement ends at its time, also on pages that are cached', async () => {
    const until = new Date(now + 60_000).toISOString();
    await change({ announcement: { text: 'Only for a minute.', until } });
    for (const url of ['/home', '/', '/updates'])
      for (const page of await shown(url)) expect(page).toContain('Only for a minute.');
    now += 61_000;
    for (const url of ['/home', '/', '/updates'])
      for (const page of await shown(url)) expect(page).not.toContain('Only for a minute.');
    await change({ announcement: null });
  });

  test('colour, font and own style sheet are files of the look, and no page names an earlier look', async () => {
    await change({ accent: '#FFD400', font: 'sans', css: '.markup h2 { color: red }\r\n' });
    const pages = await shown('/home');
    for (const page of pages) {
      const addresses = [...page.matchAll(/href="(\/assets\/site\/[^"]+)"/g)].map(([, url = '']) => url);
      expect(addresses.map((url) => url.split('/').at(-1))).toEqual(['colours.css', 'own.css']);
      const [colours, own] = await Promise.all(addresses.map((url) => site.app.server.inject({ url })));
      expect(colours?.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(colours?.headers['content-type']).toBe('text/css; charset=utf-8');
      expect(colours?.payload).toMatch(/--link:light-dark\(#[\da-f]{6},#ffd400\)/);
      expect(colours?.payload).toContain('"Source Sans"');
      expect(own?.payload).toBe('.markup h2 { color: red }\n');
      const font = /url\("([^"]+)"\)/.exec(colours?.payload ?? '')?.[1] ?? '';
      expect((await site.app.server.inject({ url: font })).headers['content-type']).toBe('font/woff2');
      expect(page).not.toContain('rel="preload" as="font"');
    }
    const safe = (await site.visitor().get('/home?safe=1')).text;
    expect(safe).not.toContain('/assets/site/');
    const old = /\/assets\/site\/[^"]+own\.css/.exec(pages[0] ?? '')?.[0] ?? '';
    await change({ css: '.markup h2 { color: blue }' });
    for (const page of await shown('/home')) expect(page).not.toContain(old);
    const stale = await site.app.server.inject({ url: old });
    expect([stale.payload, stale.headers['cache-control']]).toEqual([
      '.markup h2 { color: blue }',
      'no-cache',
    ]);
    await change({ accent: null, font: 'serif', css: '' });
    for (const page of await shown('/home')) expect(page).not.toContain('/assets/site/');
    expect((await site.app.server.inject({ url: old })).statusCode).toBe(404);
  });

  test('logo and icon are pictures by their bytes, from JSON, a multipart form and the site', async () => {
    const png = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#fa0' } })
      .png()
      .toBuffer();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const changed = await change({ logo: { data: png.toString('base64') } });
    expect(changed.json.logo).toEqual({ type: 'image/png', bytes: png.length, url: '/assets/site/now/logo' });
    const { body, headers } = multipartOf([
      { name: 'logoDark', filename: 'dark.svg', value: svg },
      { name: 'name', value: 'Willow' },
      { name: 'menu', value: '[{"label":"Two","to":"/two"}]' },
    ]);
    const sent = await site.app.server.inject({
      ...{ method: 'PATCH', url: '/v1/settings', payload: body },
      headers: { ...headers, authorization: `Bearer ${root.token}` },
    });
    expect([sent.statusCode, sent.json().logoDark?.type, sent.json().name]).toEqual([
      200,
      'image/svg+xml',
      'Willow',
    ]);
    for (const page of await shown('/home')) {
      const url = /<img class="logo" src="([^"]+)" alt="">/.exec(page)?.[1] ?? '';
      expect((await site.app.server.inject({ url })).rawPayload).toEqual(png);
      const dark = /<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">/.exec(page)?.[1] ?? '';
      const answer = await site.app.server.inject({ url: dark });
      expect(answer.payload).toBe(svg.toString());
      expect(answer.headers['content-security-policy']).toContain('sandbox');
    }
    const form = multipartOf([
      { name: 'what', value: 'pictures' },
      { name: 'no-logo', value: 'yes' },
      { name: 'logoDark', filename: '', value: Buffer.from('') },
      { name: 'icon', filename: 'icon.png', value: png },
    ]);
    const cookie = [...root.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const post = (payload: Buffer, type: Record<string, string>) =>
      site.app.server.inject({
        ...{ method: 'POST', url: '/settings', payload },
        headers: { ...type, cookie, host: 'wiki.test', origin: 'http://wiki.test' },
      });
    expect((await post(form.body, form.headers)).statusCode).toBe(303);
    const now = (await site.call('GET', '/v1/settings')).json;
    expect([now.logo, now.logoDark.type, now.icon.type]).toEqual([null, 'image/svg+xml', 'image/png']);
    for (const page of await shown('/home')) {
      expect(page).toMatch(/<link rel="icon" href="\/assets\/site\/[\da-f]+\/icon" type="image\/png">/);
      expect(page).not.toContain('class="logo"');
    }
    expect((await site.app.server.inject({ url: '/favicon.ico' })).headers.location).toContain('/icon');
    for (const [data, detail] of [
      [Buffer.from('<html><svg>').toString('base64'), 'PNG, JPEG'],
      ['%%%', 'base64'],
      [Buffer.concat([png, Buffer.alloc(200_001)]).toString('base64'), '200 kB'],
    ]) {
      const refused = await change({ icon: { data } });
      expect([refused.status, refused.json.errors[0].pointer]).toEqual([400, '/icon']);
      expect(refused.json.detail).toContain(detail);
    }
    const large = multipartOf([
      { name: 'what', value: 'pictures' },
      { name: 'logo', filename: 'large.png', value: Buffer.concat([png, Buffer.alloc(600_000)]) },
    ]);
    const refused = await post(large.body, large.headers);
    expect([refused.statusCode, refused.payload]).toEqual([
      400,
      expect.stringContaining('id="logo-mistake"'),
    ]);
    await change({ logoDark: null, icon: null, menu: [] });
    const broken = { ...headers, authorization: `Bearer ${root.token}` };
    const cut = {
      method: 'PATCH',
      url: '/v1/settings',
      payload: body.subarray(0, 200),
      headers: broken,
    } as const;
    expect((await site.app.server.inject(cut)).statusCode).toBe(400);
  });

  test('front page, format, language and sign-up count at once', async () => {
    await site.page(root.token, { title: 'Start', body: 'the new front' });
    await change({ home: 'start', format: 'markdown', language: 'DE', signUp: 'open' });
    for (const page of await shown('/')) expect(page).toContain('the new front');
    expect((await site.page(root.token, { title: 'Marked', body: '# One' })).format).toBe('markdown');
    await site.page(root.token, { title: 'Deutsch', format: 'wikitext', body: '[[Kategorie:Bäume]]' });
    expect((await site.call('GET', '/v1/settings')).json).toMatchObject({ home: '/start', language: 'de' });
    for (const page of await shown('/login')) expect(page).toContain('href="/login/sign-up"');
    await change({ signUp: 'invitation', language: 'en', format: 'wikitext', home: '/home' });
    for (const page of await shown('/login')) expect(page).not.toContain('href="/login/sign-up"');
    expect((await site.page(root.token, { title: 'Plain', body: 'One' })).format).toBe('wikitext');
  });

  test('every refusal names its setting, and nothing is changed', async () => {
    const before = (await site.call('GET', '/v1/settings')).json;
    const link = { label: 'x', to: '/x' };
    for (const [json, pointer] of [
      [{ name: ' ' }, '/name'],
      [{ name: 'x'.repeat(101) }, '/name'],
      [{ name: 'a\u0000b' }, '/name'],
      [{ language: 'not a language' }, '/language'],
      [{ home: '/a//b' }, '/home'],
      [{ format: 'html' }, '/format'],
      [{ signUp: 'perhaps' }, '/signUp'],
      [{ accent: 'red' }, '/accent'],
      [{ accent: '#12345' }, '/accent'],
      [{ font: 'comic' }, '/font'],
      [{ css: '@import "https://example.org/x.css";' }, '/css'],
      [{ css: 'a { background: url( "https://example.org/x.png") }' }, '/css'],
      [{ css: 'a { background: url(//example.org/x.png) }' }, '/css'],
      [{ css: 'x'.repeat(50_001) }, '/css'],
      [{ menu: Array(21).fill(link) }, '/menu'],
      [{ menu: [{ label: '', to: '/x' }] }, '/menu'],
      [{ menu: [{ label: 'x', to: 'javascript:alert(1)' }] }, '/menu'],
      [{ footer: [{ label: 'x', to: '//example.org' }] }, '/footer'],
      [{ licence: { name: 'x', url: 'data:text/html,x' } }, '/licence'],
      [{ imprint: 'imprint' }, '/imprint'],
      [{ privacy: '/a b' }, '/privacy'],
      [{ announcement: { text: '' } }, '/announcement'],
      [{ announcement: { text: 'x', until: 'soon' } }, '/announcement'],
    ] as const) {
      const refused = await change(json);
      expect(
        [refused.status, refused.json.errors?.[0].pointer.slice(0, pointer.length)],
        JSON.stringify(json),
      ).toEqual([400, pointer]);
    }
    const unnamed = await change({ licence: { name: 'CC0', url: '' } });
    expect(unnamed.json.detail).toContain('needs its address');
    const two = await change({ name: 'Fine', accent: 'red', home: '' });
    expect(two.json.errors).toHaveLength(2);
    expect((await site.call('GET', '/v1/settings')).json).toEqual(before);
  });

  test('the audit log has an entry for each change, and repeating it adds none', async () => {
    await change({ footer: [{ label: 'One', to: '/one' }], css: '' });
    await change({ footer: [{ label: 'One', to: '/one' }] });
    const { entries } = (
      await site.call('GET', '/v1/audit?kind=settings-changed&limit=1000', { token: root.token })
    ).json;
    const footers = entries.filter(({ note }: { note: string }) => note === '[{"label":"One","to":"/one"}]');
    expect(footers).toMatchObject([{ subject: { name: 'footer' }, actor: { name: 'Root' } }]);
    expect(entries.map(({ note }: { note: string }) => note)).toContain('Alder Valley');
  });

  test('strangers of a private wiki get what the form to sign in shows, and no more', async () => {
    await change({
      private: true,
      menu: [{ label: 'Secret plans', to: '/plans' }],
      announcement: { text: 'For us' },
    });
    const strangers = (await site.call('GET', '/v1/settings')).json;
    expect(Object.keys(strangers).sort()).toEqual(
      [
        'accent',
        'css',
        'fixed',
        'font',
        'footer',
        'imprint',
        'language',
        'name',
        'privacy',
        'private',
        'signUp',
        'logo',
        'logoDark',
        'icon',
      ].sort(),
    );
    const login = (await site.visitor().get('/login')).text;
    for (const hidden of ['Secret plans', 'For us', 'CC BY-SA']) expect(login).not.toContain(hidden);
    expect(login).toContain('href="/imprint"');
    const members = (await site.call('GET', '/v1/settings', { token: root.token })).json;
    expect(Object.keys(members).sort()).toEqual([...Object.keys(initialSettings), 'fixed'].sort());
    await change({ private: false, menu: [], announcement: null });
  });

  test('the form of each section changes its settings, and shows a refusal beside what was typed', async () => {
    const fields = { what: 'look', accent: '#aa0000', font: 'device', css: 'h2 { color: red }' };
    expect((await root.post('/settings', fields)).location).toBe('/settings');
    expect((await site.call('GET', '/v1/settings')).json).toMatchObject({
      accent: '#aa0000',
      font: 'device',
      css: 'h2 { color: red }',
    });
    expect((await root.get('/settings')).text).toContain('name="usual-accent"');
    const refused = await root.post('/settings?safe=1', { ...fields, css: '@import "x"; h3 {}' });
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('@import &quot;x&quot;; h3 {}'),
    ]);
    expect(refused.text).toContain('Style sheets cannot be imported');
    expect(refused.text).not.toContain('/assets/site/');
    const back = await root.post('/settings?safe=1', {
      ...fields,
      css: '',
      'usual-accent': 'yes',
      font: 'serif',
    });
    expect(back.location).toBe('/settings?safe=1');
    // Nothing beside the colour overrules the choice of one.
    expect((await root.get('/settings')).text).not.toContain('name="usual-accent"');
    await root.post('/settings', { what: 'look', accent: '#1d6b4f', font: 'serif', css: '' });
    const hasEnded = async () => (await root.get('/settings')).text.includes('The announcement has ended');
    await root.post('/settings', { what: 'announcement', text: 'Soon', until: '2025-12-24T18:00' });
    expect(await hasEnded()).toBe(true);
    await root.post('/settings', { what: 'announcement', text: 'Soon', until: '2026-12-24T18:00' });
    expect(await hasEnded()).toBe(false);
    await root.post('/settings', { what: 'basics', name: 'Elm', language: 'fr', home: 'start' });
    await root.post('/settings', {
      what: 'links',
      'menu-label': 'Trees',
      'menu-to': '/trees',
      imprint: '',
      privacy: '',
    });
    await root.post('/settings', {
      what: 'writing',
      format: 'markdown',
      signUp: 'approval',
      strangers: 'comments',
    });
    expect((await site.call('GET', '/v1/settings')).json).toEqual({
      ...initialSettings,
      ...{
        name: 'Elm',
        language: 'fr',
        home: '/start',
        format: 'markdown',
        signUp: 'approval',
        strangers: 'comments',
      },
      menu: [{ label: 'Trees', to: '/trees' }],
      announcement: { text: 'Soon', until: '2026-12-24T18:00:00Z' },
      fixed: [],
    });
    const preview = (await root.get('/settings?accent=%23ffd400&preview=1')).text;
    expect(preview).toContain('color-scheme: dark; --link: #ffd400');
    expect((await site.call('GET', '/v1/settings')).json.accent).toBeNull();
  });
});

test('the first start asks for name, language and readers, and keeps wrong answers for another try', async () => {
  const site = await startSite();
  const setup = await site.app.ensureSetupInvitation();
  const stranger = site.visitor();
  const pass = 'a long enough passphrase';
  const fields = { email: 'ada@example.org', name: 'Ada', pass, 'pass-again': pass };
  const form = (await stranger.get(`/setup/${setup}`)).text;
  for (const asked of ['Name of the wiki', 'Language of its texts', 'Who may read this wiki'])
    expect(form).toContain(asked);
  for (const follows of ['search engines can find the pages', 'Everybody else sees a form to sign in'])
    expect(form).toContain(follows);
  const german = (await stranger.get(`/setup/${setup}`, { 'accept-language': 'de-AT' })).text;
  expect(/id="wiki-language" [^>]*value="(.*?)"/.exec(german)?.[1]).toBe('de');
  const wrong = await stranger.post(`/setup/${setup}`, {
    ...fields,
    'wiki-name': 'Elm',
    'wiki-language': 'nonsense!',
  });
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain('id="wiki-language-mistake"');
  expect(wrong.text).toContain('value="Elm"');
  expect((await site.call('GET', '/v1/settings')).json.name).toBe('Coppice');
  // The name of a language is understood as well as its tag.
  const answers = { 'wiki-name': 'Elm', 'wiki-language': 'deutsch', private: 'yes' };
  expect((await stranger.post(`/setup/${setup}`, { ...fields, ...answers })).status).toBe(303);
  expect((await site.call('GET', '/v1/settings')).json).toMatchObject({
    name: 'Elm',
    language: 'de',
    private: true,
  });
  const welcome = (await stranger.get('/', { 'accept-language': 'en' })).text;
  expect(welcome).toContain('Only members can read this wiki. <a href="/settings">');
  await site.close();
});

test('settings of the environment are shown as fixed, and asked by nobody', async () => {
  const site = await startSite({ COPPICE_NAME: 'Fixed', COPPICE_SIGN_UP: 'approval' });
  const setup = await site.app.ensureSetupInvitation();
  expect((await site.visitor().get(`/setup/${setup}`)).text).not.toContain('Name of the wiki');
  const root = await site.signedIn('Root', { isAdmin: true });
  const { fixed, name, signUp } = (await site.call('GET', '/v1/settings')).json;
  expect([fixed, name, signUp]).toEqual([['name', 'signUp'], 'Fixed', 'approval']);
  const page = (await root.get('/settings')).text;
  expect(page).toContain('The setting <code>COPPICE_NAME</code> decides this.');
  expect(page).not.toContain('They sign up and become members at once');
  const refused = await site.call('PATCH', '/v1/settings', { token: root.token, json: { name: 'Other' } });
  expect([refused.status, refused.json.errors[0].pointer]).toEqual([400, '/name']);
  expect(
    (await root.post('/settings', { what: 'basics', name: 'Fixed', language: 'de', home: '/home' })).status,
  ).toBe(303);
  await site.close();
});
