/** Leaving by the API and the site: what is deleted, what stays, who cannot leave. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setPassphrase } from '#core/members/manage-members.ts';
import { engines } from '../support/http.ts';
import { claimsFor } from '../support/sessions.ts';
import { startSite, type TestSite } from '../support/web.ts';

const pass = 'correct horse battery staple';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestSite;
  const now = Date.UTC(2026, 0, 1);
  beforeAll(async () => {
    wiki = await startSite({}, { engine, clock: () => now });
  });
  afterAll(() => wiki.close());
  const recent = async (id: number) => {
    const { store, tokens } = wiki.app.service;
    return tokens.issue({ ...(await claimsFor(store, id, { now })), signedInAt: now });
  };
  const leave = (token: string, name = 'remove') =>
    wiki.call('POST', '/v1/members/me/leave', { token, json: { name } });
  const ownerOf = async (path: string) => (await wiki.call('GET', `/v1/pages${path}`)).json.page.owner;

  test('deleting an account removes all credentials; pages stay, with the name or without', async () => {
    const { store, passphrases } = wiki.app.service;
    for (const [name, choice, shown] of [
      ['Ada', 'keep', 'Ada'],
      ['Eve', 'remove', 'Former member'],
    ] as const) {
      const { id, email } = await wiki.member(name);
      await setPassphrase({ store, passphrases, now }, email, pass);
      const token = await recent(id);
      const path = `/of-${name.toLowerCase()}`;
      await wiki.page(token, { title: name, path, body: 'x' });
      await wiki.call('POST', '/v1/watches', { token, json: { ancestor: '/' } });
      const made = await wiki.call('POST', '/v1/tokens', { token, json: { name: 'Bot', scopes: ['read'] } });
      expect((await leave(token, choice)).status).toBe(204);
      for (const credential of [token, made.json.token])
        expect((await wiki.call('GET', '/v1/members/me', { token: credential })).status).toBe(401);
      const signIn = await wiki.call('POST', '/v1/members/auth', { json: { email, pass } });
      expect(signIn.status).toBe(401);
      expect((await ownerOf(path)).name).toContain(shown);
      const rest = await store.members.findById(id);
      expect(rest).toMatchObject({ isActive: false, isAdmin: false, passphraseHash: null });
      expect(rest?.email).not.toContain(email);
      expect((await store.watches.countOf(id)).all).toBe(0);
      // The email address can be used for a new account.
      expect((await wiki.member(`${name} again`)).id).toBeGreaterThan(id);
    }
  });

  test('the last administrator, people who signed in long ago, and forms without a choice are refused', async () => {
    const root = await wiki.member('Root', { isAdmin: true });
    expect((await leave(root.token)).status).toBe(401);
    const refused = await leave(await recent(root.id));
    expect([refused.status, refused.json.detail]).toEqual([400, expect.stringContaining('last active')]);
    expect((await leave(await recent(root.id), 'maybe')).status).toBe(400);
    await wiki.member('Other root', { isAdmin: true });
    expect((await leave(await recent(root.id))).status).toBe(204);
  });

  test('the site asks for a recent sign-in and refuses forms of other sites', async () => {
    const { email } = await wiki.member('Max');
    await setPassphrase(
      { store: wiki.app.service.store, passphrases: wiki.app.service.passphrases, now },
      email,
      pass,
    );
    const max = wiki.visitor();
    await max.post('/login', { email, pass });
    expect((await max.get('/account')).text).toContain('action="/account/leave"');
    const foreign = { headers: { 'sec-fetch-site': 'cross-site' } };
    expect((await max.post('/account/leave', { name: 'keep' }, foreign)).status).toBe(403);
    expect((await max.post('/account/leave', { name: '' })).status).toBe(400);
    expect(await max.post('/account/leave', { name: 'keep' })).toMatchObject({ status: 303, location: '/' });
    expect((await max.get('/account')).location).toContain('/login');
    const old = await wiki.signedIn('Ben');
    expect((await old.post('/account/leave', { name: 'keep' })).location).toContain('/login/again');
  });
});
