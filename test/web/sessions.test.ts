/** Sessions on the account page, and which ones signing out and a new passphrase end. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { linkProvider, setPassphrase } from '#core/members/manage-members.ts';
import { deviceName } from '#web/device-name.ts';
import { textOf } from '#words/say.ts';
import { attribute, elementsOf, passphrase, startSite, type TestSite, type Visitor } from '../support/web.ts';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

let site: TestSite;
let email: string;
let memberId: number;
let made = 0;

beforeAll(async () => {
  site = await startSite();
});
beforeEach(async () => {
  ({ id: memberId, email } = await site.member(`Ada ${++made}`));
  const { store, passphrases } = site.app.service;
  await setPassphrase({ store, passphrases, now: Date.now() }, email, passphrase);
});
afterAll(() => site.close());

async function signedIn(userAgent: string, pass = passphrase): Promise<Visitor> {
  const visitor = site.visitor();
  const headers = { 'user-agent': userAgent };
  expect((await visitor.post('/login', { email, pass }, { headers })).status).toBe(303);
  return visitor;
}

const isIn = async (visitor: Visitor) => (await visitor.get('/account')).status === 200;
const rows = () => site.app.service.store.sessions.listOf(memberId, 100);
const endOf = (text: string) =>
  elementsOf(text)
    .filter((one) => one.tagName === 'button' && attribute(one, 'name') === 'end')
    .map((one) => attribute(one, 'value') ?? '');

test('the account lists sessions and marks this device, and shows no cookie of another', async () => {
  const here = await signedIn(firefox);
  await signedIn(safari);
  const { text } = await here.get('/account');
  expect(text).toMatch(/Firefox on Linux<\/strong> <span class="count">this device<\/span>/);
  expect(text).toMatch(/Safari on iPhone<\/strong> <span class="quiet">signed in by passphrase/);
  const other = (await rows()).find(({ userAgent }) => userAgent === safari);
  expect(endOf(text)).toEqual([other?.id, 'others']);
});

test('one button ends a single session, another all but the present one', async () => {
  const [here, phone, laptop, library] = [
    await signedIn(firefox),
    await signedIn(safari),
    await signedIn('laptop'),
    await signedIn('library'),
  ] as const;
  const id = (await rows()).find(({ userAgent }) => userAgent === safari)?.id ?? '';
  const shown = await here.post('/account/sessions', { end: id });
  expect(shown).toMatchObject({ status: 303, location: '/account#sessions' });
  expect(await Promise.all([here, phone, laptop, library].map(isIn))).toEqual([true, false, true, true]);
  expect((await here.post('/account/sessions', { end: id })).status).toBe(404);
  await here.post('/account/sessions', { end: 'others' });
  expect(await Promise.all([here, laptop, library].map(isIn))).toEqual([true, false, false]);
  expect(endOf((await here.get('/account')).text)).toEqual([]);
});

test('nobody ends sessions of another member, nor by a form of another site, nor when signed out', async () => {
  const mine = await signedIn(firefox);
  const id = (await rows())[0]?.id ?? '';
  const ben = await site.signedIn(`Ben ${made}`);
  expect((await ben.post('/account/sessions', { end: id })).status).toBe(404);
  await ben.post('/account/sessions', { end: 'others' });
  const headers = { origin: 'http://evil.test', 'sec-fetch-site': 'cross-site' };
  expect((await mine.post('/account/sessions', { end: id }, { headers })).status).toBe(403);
  expect((await site.visitor().post('/account/sessions', { end: 'others' })).status).toBe(401);
  expect(await isIn(mine)).toBe(true);
});

test('signing out ends the session on the server, so that a copy of its cookie is worthless', async () => {
  const [here, other] = [await signedIn(firefox), await signedIn(safari)];
  const thief = site.visitor();
  for (const [name, value] of here.cookies) thief.cookies.set(name, value);
  expect(await isIn(thief)).toBe(true);
  await here.post('/logout', {});
  expect([await isIn(thief), await isIn(other)]).toEqual([false, true]);
  await other.post('/logout', { where: 'everywhere' });
  expect(await rows()).toEqual([]);
});

test('signing in again in one browser replaces its session', async () => {
  const here = await signedIn(firefox);
  const copy = site.visitor();
  for (const [name, value] of here.cookies) copy.cookies.set(name, value);
  await here.post('/login/again', { pass: passphrase });
  expect([await isIn(here), await isIn(copy)]).toEqual([true, false]);
  expect(await rows()).toHaveLength(1);
});

test('a new passphrase ends all other sessions, and the page says so', async () => {
  const { store, secrets } = site.app.service;
  const { provider, id } = await linkProvider({ store, secrets, now: Date.now() }, email, 'script');
  const auth = () => site.call('POST', '/v1/members/auth', { json: { provider, id } });
  const [here, other, script] = [await signedIn(firefox), await signedIn(safari), await auth()];
  expect(script.status).toBe(200);
  const thief = site.visitor();
  for (const [name, value] of here.cookies) thief.cookies.set(name, value);
  const next = 'another passphrase altogether';
  expect((await here.get('/account')).text).toContain('revokes API tokens and the handles');
  await here.post('/account', { what: 'passphrase', current: passphrase, pass: next, 'pass-again': next });
  expect((await here.get('/account')).text).toContain('signed out on all other devices');
  expect(await Promise.all([here, other, thief].map(isIn))).toEqual([true, false, false]);
  expect((await site.call('GET', '/v1/members/me', { token: script.text })).status).toBe(401);
  expect((await auth()).status).toBe(401);
  expect(await isIn(await signedIn(safari, next))).toBe(true);
});

test('scripts of the site use the session, and end with it', async () => {
  const here = await signedIn(firefox);
  const own = { 'sec-fetch-site': 'same-origin' };
  expect((await here.get('/v1/members/me', own)).status).toBe(200);
  const [{ id = '' } = {}] = await rows();
  await here.post(`/v1/members/signout`, {});
  expect((await here.get('/v1/members/me', own)).status).toBe(401);
  expect((await rows()).map((one) => one.id)).not.toContain(id);
});

test('a member whose only provider does not report the sign-in time gets instructions', async () => {
  const secret = { COPPICE_OAUTH_GITHUB_ID: 'x', COPPICE_OAUTH_GITHUB_SECRET: 'y' };
  const hub = await startSite({ COPPICE_URL: 'http://wiki.test', COPPICE_OAUTH: 'github', ...secret });
  try {
    const ada = await hub.signedIn('Ada');
    const { store, passphrases } = hub.app.service;
    const identity = {
      issuer: 'https://github.com/login/oauth',
      subject: '1',
      provider: 'github',
      account: null,
    };
    await store.identities.insert({ ...identity, memberId: ada.id, linkedAt: 1 });
    const alone = await ada.get('/login/again');
    expect(alone.text).toContain('Ask an administrator for a link to choose a passphrase');
    expect(alone.text).not.toContain('value="confirm"');
    await setPassphrase({ store, passphrases, now: Date.now() }, ada.email, passphrase);
    const again = hub.visitor();
    await again.post('/login', { email: ada.email, pass: passphrase });
    const { text } = await again.get('/login/again');
    expect(text).toContain('action="/login/again"');
    expect(text).not.toMatch(/Ask an administrator|value="confirm"/);
    const forged = await again.post('/login/with/github', { intent: 'confirm' });
    expect([forged.status, forged.text]).toEqual([400, expect.stringContaining('Use your passphrase')]);
  } finally {
    await hub.close();
  }
});

test.each([
  [firefox, 'Firefox on Linux'],
  [safari, 'Safari on iPhone'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  ['curl/8.5.0', 'curl'],
  ['<script>alert(1)</script>', '<script>alert'],
  ['', 'Unknown client'],
  [null, 'Unknown client'],
])('%s is called %s', (userAgent, name) => {
  expect(textOf(deviceName(userAgent), 'en')).toBe(name);
});
