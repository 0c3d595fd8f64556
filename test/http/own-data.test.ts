/** Export of one's own data: complete, without secrets, others' data or anything the member may no longer read. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, startApp } from '../support/http.ts';
import { startSite, type TestSite } from '../support/web.ts';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestSite;
  let root: { id: number; token: string };
  let ada: { id: number; token: string; email: string };
  let bob: Awaited<ReturnType<TestSite['signedIn']>>;

  const exported = async (who: { token: string }) => {
    const answer = await wiki.call('GET', '/v1/members/me/export', { token: who.token });
    expect(answer.status, answer.text).toBe(200);
    return answer;
  };

  beforeAll(async () => {
    wiki = await startSite({}, { engine });
    root = await wiki.member('Root', { isAdmin: true });
    ada = await wiki.member('Ada');
    bob = await wiki.signedIn('Bob');
  });
  afterAll(() => wiki.close());

  test('the export contains all data of the member, with the texts that they wrote, in one object', async () => {
    const post = (url: string, json: object, who = ada) => wiki.call('POST', url, { token: who.token, json });
    const { json: group } = await post('/v1/groups', { name: 'editors' }, root as typeof ada);
    await wiki.call('PUT', `/v1/groups/${group.id}/members/${ada.id}`, { token: root.token });
    await wiki.page(ada.token, { title: 'Rose', body: 'Roses need sun.', msg: 'begun' });
    // More contributions than one batch of the export holds.
    for (let i = 0; i < 21; i++) await post('/v1/pages/rose', { body: `Version ${i}`, msg: `${i}` });
    await wiki.page(bob.token, { title: 'Hidden', permissions: 774, body: 'by Bob' });
    await post('/v1/pages/hidden', { body: 'Ada was here', msg: 'hers' });
    await wiki.call('PUT', '/v1/likes/hidden', { token: ada.token });
    await wiki.call('PUT', '/v1/likes/rose', { token: ada.token });
    await post('/v1/watches', { page: '/rose' });

    const before = (await exported(ada)).json;
    expect(before.profile).toMatchObject({ id: ada.id, name: 'Ada', email: ada.email, isAdmin: false });
    expect(before.groups).toEqual([{ id: group.id, name: 'editors' }]);
    expect(before.sessions.length).toBeGreaterThan(0);
    expect(before.watches).toMatchObject([{ kind: 'page', page: { path: '/rose' } }]);
    expect(before.likes.map(({ page }: { page: { path: string } }) => page.path)).toEqual([
      '/rose',
      '/hidden',
    ]);
    expect(before.contributions).toHaveLength(23);
    expect(before.contributions[0]).toMatchObject({ msg: 'hers', body: 'Ada was here' });
    expect(before.contributions.at(-1)).toMatchObject({ msg: 'begun', body: 'Roses need sun.' });
    const kinds = before.audit.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['data-exported', 'group-joined']));

    // Pages that Ada may no longer read are left out; texts by others were never included.
    await wiki.call('POST', '/v1/pages/hidden', { token: bob.token, json: { permissions: 700 } });
    const after = await exported(ada);
    expect(after.json.contributions).toHaveLength(22);
    expect(after.json.likes).toHaveLength(1);
    expect(after.text).not.toMatch(/hidden|by Bob/i);
    expect((await exported(bob)).text).not.toContain('Roses');
    expect(after.headers['content-disposition']).toContain('my-data.json');
    expect(after.headers['cache-control']).toBe('no-store');
  });

  test('the export contains no secret, and no origin of other people’s actions', async () => {
    const { store, apiTokenSecrets } = wiki.app.service;
    const { secret, hash } = apiTokenSecrets.make();
    await store.apiTokens.insert({
      ...{ memberId: ada.id, name: 'Bird bot', scopes: ['read'], ancestorId: null, createdAt: 1 },
      ...{ expiresAt: null, hash },
    });
    const { text, json } = await exported(ada);
    expect(json.tokens).toMatchObject([{ name: 'Bird bot', scopes: ['read'], lastUsedAt: null }]);
    for (const one of [secret, hash, 'argon2', ada.token]) expect(text).not.toContain(one);
    const others = json.audit.filter(({ actor }: { actor: { id: number } | null }) => actor?.id === root.id);
    expect(others.length).toBeGreaterThan(0);
    for (const { from } of others) expect(from).toBeNull();
    // API tokens may not export data.
    expect((await wiki.call('GET', '/v1/members/me/export', { token: secret })).status).toBe(403);
    expect((await wiki.call('GET', '/v1/members/me/export')).status).toBe(401);
  });

  test('the account page links to it', async () => {
    expect((await bob.get('/account')).text).toContain('href="/account/data"');
    const { status, text } = await bob.get('/account/data');
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ profile: { name: 'Bob' } });
    expect((await wiki.visitor().get('/account/data')).location).toMatch(/^\/login/);
  });
});

test('five requests in ten minutes are answered', async () => {
  const limited = await startApp({ COPPICE_RATE_LIMIT: 'on' });
  const { token } = await limited.member('Ada');
  const statuses: number[] = [];
  for (let i = 0; i < 6; i++)
    statuses.push((await limited.call('GET', '/v1/members/me/export', { token })).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  await limited.close();
});
