/** Watching on the site: the button on a page, notifications, the list of watches. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notifyWatchers } from '#src/features/watches/notify.ts';
import { attribute, elementsOf, startSite, type TestSite } from '../support/web.ts';

let site: TestSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const tell = async () => {
  while (await notifyWatchers(site.app.service.store, Date.now));
};
const value = (text: string, name: string) => {
  const found = elementsOf(text).find((one) => attribute(one, 'name') === name);
  return (found && attribute(found, 'value')) ?? '';
};

test('one click watches a page; its notifications are counted, shown and marked as read', async () => {
  const ada = await site.signedIn('Ada');
  const { token } = await site.member('Max');
  await site.page(token, { title: 'Oak <b>', path: '/oak', body: 'one' });
  expect((await ada.get('/oak')).text).toContain('<button type="submit">Watch</button>');
  expect(await ada.post('/watch/oak', {})).toMatchObject({ status: 303, location: '/oak' });
  const shown = await ada.get('/oak');
  expect(shown.text).toContain('<a href="/watch/oak">Watching</a>');
  expect(shown.text).toContain('aria-label="Notifications"');
  await site.call('POST', '/v1/pages/oak', { token, json: { body: 'two', msg: 'Grew <i>' } });
  await tell();
  expect((await ada.get('/oak')).text).toContain('aria-label="1 unread notification"');
  const list = await ada.get('/account/notifications');
  expect(list.text).toContain('Oak &lt;b&gt;</a>');
  expect(list.text).toContain('Grew &lt;i&gt;');
  expect(list.headers['cache-control']).toBe('private, no-store');
  const foreign = { headers: { 'sec-fetch-site': 'cross-site' } };
  const upTo = value(list.text, 'up-to');
  expect((await ada.post('/account/notifications', { 'up-to': upTo }, foreign)).status).toBe(403);
  await ada.post('/account/notifications', { 'up-to': upTo });
  expect((await ada.get('/oak')).text).toContain('aria-label="Notifications"');
});

test('watches are chosen for a page, listed, changed and ended', async () => {
  const olga = await site.signedIn('Olga');
  await site.page((await site.member('Ben')).token, { title: 'Fen', path: '/fen', body: 'x' });
  await olga.post('/watch/fen', { what: 'choose', page: '', subtree: 'weekly' });
  expect((await olga.get('/watch/fen')).text).toContain('<option value="weekly" selected>');
  const list = (await olga.get('/account/watches')).text;
  expect(list).toContain('and all pages beneath it');
  await olga.post('/account/watches', { what: 'change', id: value(list, 'id'), mail: 'daily' });
  expect((await olga.get('/watch/fen')).text).toContain('<option value="daily" selected>');
  const refused = await olga.post('/account/watches', { kind: 'tag', target: '<x>:', mail: 'off' });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('Write a tag as key:value');
  expect(refused.text).toContain('value="&lt;x&gt;:"');
  await olga.post('/account/watches', { kind: 'search', target: 'wet & green', mail: 'off' });
  expect((await olga.get('/account/watches')).text).toContain('href="/search?text=wet+%26+green"');
  await olga.post('/watch/fen', { what: 'choose', page: '', subtree: '' });
  expect((await olga.get('/fen')).text).toContain('<button type="submit">Watch</button>');
});

test('the address of the feed is shown once, and only members can use these pages', async () => {
  const eve = await site.signedIn('Eve');
  const made = await eve.post('/account/watches', { what: 'feed' });
  const address = new URL(value(made.text, '') || attributeOf(made.text, 'feed-url'));
  expect((await site.call('GET', address.pathname)).status).toBe(200);
  expect((await eve.get('/account/watches')).text).not.toContain(address.pathname);
  await eve.post('/account/watches', { what: 'no-feed' });
  expect((await site.call('GET', address.pathname)).status).toBe(404);
  const nobody = site.visitor();
  for (const path of ['/account/notifications', '/account/watches']) {
    expect((await nobody.get(path)).location, path).toBe(`/login?next=${encodeURIComponent(path)}`);
  }
  expect((await nobody.get('/watch/fen')).location).toBe('/login?next=%2Fwatch%2Ffen');
  expect((await nobody.get('/watch/nowhere')).status).toBe(404);
});

function attributeOf(text: string, id: string): string {
  const found = elementsOf(text).find((one) => attribute(one, 'id') === id);
  return (found && attribute(found, 'value')) ?? '';
}
