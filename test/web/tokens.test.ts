/** API tokens on the account page. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setPassphrase } from '#core/members/manage-members.ts';
import { attribute, elementsOf, passphrase, startSite, type TestSite } from '../support/web.ts';

let site: TestSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

test('a token is made by the form, shown once, used and revoked', async () => {
  const { email } = await site.member('Olga');
  await setPassphrase(
    { store: site.app.service.store, passphrases: site.app.service.passphrases, now: Date.now() },
    email,
    passphrase,
  );
  const olga = site.visitor();
  await olga.post('/login', { email, pass: passphrase });
  expect((await olga.get('/account')).text).toContain('href="/account/tokens"');
  expect((await olga.get('/account/tokens')).text).toContain('You have no tokens.');

  const wrong = await olga.post('/account/tokens', { name: '<b>', ancestor: '/nowhere', lifetime: '30' });
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain('A token needs at least one of the scopes');
  expect(wrong.text).toContain('value="&lt;b&gt;"');

  const made = await olga.post('/account/tokens', { name: '<b>', 'scope-read': 'yes', lifetime: '30' });
  expect([made.status, made.headers['cache-control']]).toEqual([200, 'private, no-store']);
  const [field] = elementsOf(made.text).filter((one) => attribute(one, 'id') === 'new-token');
  const token = (field && attribute(field, 'value')) ?? '';
  expect(token).toMatch(/^cop_/);
  expect((await site.call('GET', '/v1/members/me', { token })).json.name).toBe('Olga');

  const { text } = await olga.get('/account/tokens');
  expect(text).not.toContain(token);
  expect(text).toContain('<strong dir="auto">&lt;b&gt;</strong>');
  const [revoke] = elementsOf(text).filter((one) => attribute(one, 'name') === 'revoke');
  const id = (revoke && attribute(revoke, 'value')) ?? '';
  expect((await olga.post('/account/tokens', { revoke: id })).location).toBe('/account/tokens');
  expect((await site.call('GET', '/v1/members/me', { token })).status).toBe(401);
});

test('an old sign-in must be repeated first, and other members have no access', async () => {
  const max = await site.signedIn('Max');
  expect((await max.get('/account/tokens')).text).toContain('/login/again?next=%2Faccount%2Ftokens');
  const made = await max.post('/account/tokens', { name: 'x', 'scope-read': 'yes' });
  expect(made).toMatchObject({ status: 303, location: '/login/again?next=%2Faccount%2Ftokens' });
  const foreign = await max.post(
    '/account/tokens',
    { revoke: '1' },
    { headers: { 'sec-fetch-site': 'cross-site' } },
  );
  expect(foreign.status).toBe(403);
  expect((await site.visitor().get('/account/tokens')).location).toMatch(/^\/login\?/);
});
