/** The site under attack: forged forms and addresses, sessions of others, ended sessions. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day } from '../support/sessions.ts';
import { startSite, type TestSite } from '../support/web.ts';

describe('forms and addresses from elsewhere', () => {
  let site: TestSite;
  let ada: Awaited<ReturnType<TestSite['signedIn']>>;
  beforeAll(async () => {
    site = await startSite();
    ada = await site.signedIn('Ada', { isAdmin: true });
    await site.page(ada.token, { title: 'Page', body: 'Text.' });
  });
  afterAll(() => site.close());

  const foreign: [string, Record<string, string>][] = [
    ['another site, by Fetch Metadata', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour on the same domain', { 'sec-fetch-site': 'same-site' }],
    ['another site, by Origin', { 'sec-fetch-site': '', origin: 'https://evil.test' }],
    ['an opaque origin', { 'sec-fetch-site': '', origin: 'null' }],
    ['a name that begins alike', { 'sec-fetch-site': '', origin: 'http://wiki.test.evil.test' }],
    ['nobody who says so', { 'sec-fetch-site': '', origin: '' }],
  ];

  test.each(foreign)('a form from %s changes nothing', async (_who, headers) => {
    const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
    const before = (await ada.get('/history/page')).text;
    for (const [url, fields] of [
      ['/new', { title: 'Forged', body: 'x', intent: 'save' }],
      ['/edit/page', { title: 'Forged', body: 'x', intent: 'save' }],
      ['/move/page', { slug: 'forged', intent: 'move' }],
      ['/history/page', { to: '1' }],
      ['/like/page', { like: 'yes' }],
      ['/login', { email: 'a@b.c', pass: 'x' }],
      ['/logout', { where: 'everywhere' }],
      ['/account', { what: 'name', name: 'Forged' }],
      ['/members', { what: 'invite' }],
      ['/theme', { theme: 'dark' }],
      ['/invite/x', { name: 'x' }],
    ] as [string, Record<string, string>][]) {
      const bare = { origin: '', 'sec-fetch-site': '' };
      const shown = await ada.post(url, fields, { headers: { ...bare, ...sent } as Record<string, string> });
      expect(shown.status, url).toBe(403);
    }
    expect((await ada.get('/history/page')).text).toBe(before);
    expect((await ada.get('/forged')).status).toBe(404);
  });

  test('a form counts as our own under the configured address, whatever local name a proxy sends', async () => {
    const behind = await startSite({ COPPICE_URL: 'https://wiki.example.org' });
    try {
      const bob = await behind.signedIn('Bob');
      const send = (origin: string) =>
        bob.post('/theme', { theme: 'dark' }, { headers: { origin, 'sec-fetch-site': '' } });
      // Request without Fetch Metadata, as sent by older browsers.
      const bare = (origin: string) =>
        behind.app.server.inject({
          method: 'POST',
          url: '/theme',
          payload: 'theme=dark',
          headers: { host: '127.0.0.1:8080', origin, 'content-type': 'application/x-www-form-urlencoded' },
        });
      expect((await bare('https://wiki.example.org')).statusCode).toBe(303);
      expect((await bare('https://wiki.example.org.evil.test')).statusCode).toBe(403);
      expect((await bare('https://evil.test')).statusCode).toBe(403);
      expect((await send('https://evil.test')).status).toBe(403);
    } finally {
      await behind.close();
    }
  });

  test('the session can use the API from this site only', async () => {
    const own = await ada.get('/v1/members/me', { 'sec-fetch-site': 'same-origin' });
    expect(JSON.parse(own.text).name).toBe('Ada');
    expect((await ada.get('/v1/members/me', { 'sec-fetch-site': 'cross-site' })).status).toBe(401);
    expect((await ada.get('/v1/members/me', { 'sec-fetch-site': 'same-site' })).status).toBe(401);
    const forged = await ada.post(
      '/v1/pages',
      { title: 'Forged' },
      { headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' } },
    );
    expect(forged.status).toBe(401);
  });

  test.each([
    'https://evil.test/',
    '//evil.test/',
    '/\\evil.test',
    '/\t/evil.test',
    '\\\\evil.test',
    'javascript:alert(1)',
    '/%09/evil.test'.replace('%09', '\t'),
    'evil.test',
    '///evil.test',
    'http:evil.test',
    '/..//evil.test',
    '/.//evil.test',
    '',
  ])('a return address of %j leads nowhere else', async (next) => {
    const shown = await ada.get(`/login?next=${encodeURIComponent(next)}`);
    expect(shown.status).toBe(303);
    expect(new URL(shown.location ?? '', 'http://wiki.test').host).toBe('wiki.test');
    expect(shown.location).toMatch(/^\/(?![/\\])/);
    const themed = await ada.post('/theme', { theme: 'dark', next });
    expect(themed.location).toMatch(/^\/(?![/\\])/);
  });

  test('addresses that look like other hosts stay on this site', async () => {
    for (const url of ['//evil.test', '//evil.test/', '/%2Fevil.test', '/%5Cevil.test', '///evil.test//']) {
      const { status, location } = await ada.get(url);
      if (status === 308) expect(location, url).toMatch(/^\/(?![/\\])/);
      else expect(status, url).toBe(404);
    }
  });

  test('the session cookie is for this host, unreadable for scripts, and secure over HTTPS', async () => {
    const { passphrases, store } = site.app.service;
    const dora = await site.member('Dora');
    await store.members.update(dora.id, { passphraseHash: await passphrases.hash('a passphrase for tests') });
    const visitor = site.visitor();
    const shown = await visitor.post('/login', {
      email: dora.email,
      pass: 'a passphrase for tests',
      next: '/page',
    });
    expect(shown).toMatchObject({ status: 303, location: '/page' });
    const cookie = [shown.headers['set-cookie']]
      .flat()
      .map(String)
      .find((one) => one.startsWith('coppice='));
    expect(cookie).toMatch(/; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
    expect((await visitor.get('/page')).text).toContain('Signed in as Dora');
    await visitor.post('/logout', {});
    expect((await visitor.get('/page')).text).toContain('Sign in');
  });

  test('behind HTTPS the session is for HTTPS only, whatever proxy is in front of the site', async () => {
    const behind = await startSite({ COPPICE_URL: 'https://wiki.example.org' });
    try {
      const { passphrases, store } = behind.app.service;
      const dora = await behind.member('Dora');
      await store.members.update(dora.id, {
        passphraseHash: await passphrases.hash('a passphrase for tests'),
      });
      const visitor = behind.visitor();
      const shown = await visitor.post('/login', { email: dora.email, pass: 'a passphrase for tests' });
      expect(String(shown.headers['set-cookie'])).toMatch(
        /__Host-coppice=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax/,
      );
      expect((await visitor.get('/account')).status).toBe(200);
      const planted = behind.visitor();
      planted.cookies.set('coppice', visitor.cookies.get('__Host-coppice') ?? '');
      expect((await planted.get('/account')).status).toBe(303);
      expect((await visitor.get('/v1/members/me', { 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    } finally {
      await behind.close();
    }
  });

  test('prefetching a page does not record use of the session, set a cookie or mark a notice as read', async () => {
    let now = Date.now();
    const timed = await startSite({}, { clock: () => now });
    try {
      const bob = await timed.signedIn('Bob');
      const sessions = () => timed.app.service.store.sessions.listOf(bob.id, 10);
      const before = await sessions();
      now += 2 * day;
      bob.cookies.set('notice', 'saved');
      const ahead = await bob.get('/', { 'sec-purpose': 'prefetch;anonymous-client-ip' });
      expect(ahead.text).toContain('Signed in as Bob');
      expect(ahead.text).not.toContain('Changes saved.');
      expect(ahead.headers).not.toHaveProperty('set-cookie');
      await timed.app.service.store.transact(async () => {});
      expect(await sessions()).toEqual(before);
      const shown = await bob.get('/', { 'sec-purpose': 'other' });
      expect(shown.text).toContain('Changes saved.');
      expect(String(shown.headers['set-cookie'])).toMatch(/coppice=.*notice=;/s);
      await expect.poll(async () => (await sessions())[0]?.seenAt).toBe(now);
    } finally {
      await timed.close();
    }
  });

  test('a cookie lives as long as its session, is sealed again once a day, and says when it was signed out', async () => {
    let now = Date.now();
    const timed = await startSite({}, { clock: () => now });
    try {
      const bob = await timed.signedIn('Bob');
      const first = bob.cookies.get('coppice');
      now += day - 1000;
      await bob.get('/');
      expect(bob.cookies.get('coppice')).toBe(first);
      now += 1000;
      const shown = await bob.get('/');
      expect(bob.cookies.get('coppice')).not.toBe(first);
      expect(String(shown.headers['set-cookie'])).toContain(`; Max-Age=${(29 * day) / 1000};`);
      now += 5 * day;
      expect((await bob.get('/account')).status).toBe(200);
      now += 8 * day;
      expect(await bob.get('/account')).toMatchObject({ status: 303, location: '/login?next=%2Faccount' });
      expect((await bob.get('/login?next=%2Faccount')).text).toContain('You were signed out');
    } finally {
      await timed.close();
    }
  });

  test('a deactivated member is signed out at once', async () => {
    const eve = await site.signedIn('Eve');
    expect((await eve.get('/account')).status).toBe(200);
    const shown = await ada.post('/members', { what: 'deactivate', id: String(eve.id) });
    expect(shown).toMatchObject({ status: 303, location: '/members' });
    expect((await eve.get('/account')).status).toBe(303);
    expect((await eve.post('/like/page', { like: 'yes' })).status).toBe(401);
  });
});
