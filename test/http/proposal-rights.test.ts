/** Rights that count for proposals: of those who see them, approve them, and set the time at which they merge. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishDue } from '#src/features/proposals/loop.ts';
import { engines, type Method, startApp, type TestApp } from '../support/http.ts';
import { addApiToken } from '../support/tokens.ts';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  type Who = { id: number; token: string };
  let root: Who;
  let ada: Who;
  let bob: Who;
  let mod: Who;

  beforeAll(async () => {
    wiki = await startApp({}, { engine });
    root = await wiki.member('Root', { isAdmin: true });
    [ada, bob, mod] = [await wiki.member('Ada'), await wiki.member('Bob'), await wiki.member('Mod')];
    await call('PATCH', `/v1/members/${mod.id}`, root, { role: 'moderator' });
  });
  afterAll(async () => {
    expect(await wiki.app.service.store.maintenance.violations(10)).toEqual([]);
    await wiki.close();
  });

  const call = (method: Method, url: string, who?: { token: string }, json?: unknown) =>
    wiki.call(method, url, { ...(who ? { token: who.token } : {}), ...(json === undefined ? {} : { json }) });
  const page = (path: string, fields: object = {}, who: Who = ada) =>
    wiki.page(who.token, { title: path.slice(1), path, body: 'one', ...fields });
  const propose = (who: { token: string }, changes: object[], fields: object = {}) =>
    call('POST', '/v1/proposals', who, { title: 'Better', changes, ...fields });
  const review = (id: number, who: { token: string }, verdict = 'approve') =>
    call('POST', `/v1/proposals/${id}/reviews`, who, { verdict, text: 'Words' });
  const merge = (id: number, who: { token: string }) => call('POST', `/v1/proposals/${id}/merge`, who, {});
  const token = async (who: Who, isAdmin: boolean, limits: { scopes: string[]; ancestor?: string }) => {
    const { store, apiTokenSecrets } = wiki.app.service;
    const actor = { memberId: who.id, name: 'X', isAdmin };
    const given = { name: 'Part', ...limits };
    return { token: (await addApiToken(store, apiTokenSecrets, actor, given, Date.now())).secret };
  };
  const later = () => new Date(Date.now() + 3_600_000).toISOString();

  test('a view puts no page beneath one that its reader cannot read, and answers as if there were none', async () => {
    await page('/hidden', { title: 'Treasure', permissions: 700 });
    await page('/own', {}, bob);
    const [hidden, missing] = await Promise.all(
      ['/hidden', '/nowhere'].map(async (parent) => {
        const { json } = await propose(bob, [{ action: 'edit', path: '/own', parent }]);
        return call('GET', `/v1/pages${parent}/own?proposal=${json.id}`, bob);
      }),
    );
    expect(hidden?.status).toBe(409);
    expect(hidden?.text).toBe(missing?.text);
    expect(hidden?.text).not.toContain('Treasure');
    // Readers of the parent see the page there.
    const { json } = await propose(ada, [{ action: 'edit', path: '/own', parent: '/hidden' }]);
    const seen = await call('GET', `/v1/pages/hidden/own?proposal=${json.id}`, ada);
    expect(seen.json.page?.lineage?.[0]?.title, seen.text).toBe('Treasure');
  });

  test('a view shares no page with its reader by a move beneath their own', async () => {
    await page('/open');
    await page('/open/kept', { parent: '/open', permissions: 700, body: 'private' });
    await page('/shared', {}, bob);
    const grants = [{ member: bob.id, may: 'read', beneath: true }];
    expect((await call('PUT', '/v1/access/shared', bob, { grants })).status).toBe(200);
    const { json } = await propose(bob, [{ action: 'edit', path: '/open', parent: '/shared' }]);
    for (const path of ['/shared/open/kept', '/shared/open', '/own'])
      expect((await call('GET', `/v1/pages${path}?proposal=${json.id}`, bob)).status, path).toBe(409);
    expect((await merge(json.id, bob)).status).toBe(401);
    expect((await call('GET', '/v1/pages/open/kept', bob)).status).toBe(404);
  });

  test('an approval counts only if its member sees all changes, and only with all of their rights', async () => {
    await page('/ruled');
    await page('/ruled/kept', { parent: '/ruled', permissions: 700 });
    await page('/free');
    await call('PUT', '/v1/access/ruled/kept', ada, { grants: [{ member: bob.id, may: 'write' }] });
    expect((await call('PUT', '/v1/rules/ruled', ada, { approvals: 1 })).status).toBe(200);
    const mixed = [
      { action: 'edit', path: '/free', body: 'two' },
      { action: 'edit', path: '/ruled/kept', body: 'two' },
    ];
    const { id } = (await propose(ada, mixed)).json;
    expect((await call('GET', `/v1/proposals/${id}`, mod)).json.changes).toHaveLength(1);
    expect((await review(id, mod)).status).toBe(200);
    expect((await merge(id, bob)).json.type).toContain('needs-approval');
    const grants = [bob.id, mod.id].map((member) => ({ member, may: 'write' }));
    await call('PUT', '/v1/access/ruled/kept', root, { grants });
    const reduced = await token(mod, false, { scopes: ['read', 'write'] });
    const refused = await review(id, reduced);
    expect([refused.status, refused.json.type]).toEqual([403, '/v1/docs#problem-insufficient-scope']);
    expect((await review(id, reduced, 'comment')).status).toBe(200);
    expect((await merge(id, bob)).status).toBe(200);
  });

  test('comments push no approval out', async () => {
    await page('/busy');
    await call('PUT', '/v1/rules/busy', ada, { approvals: 1 });
    const { id } = (await propose(bob, [{ action: 'edit', path: '/busy', body: 'two' }])).json;
    expect((await review(id, mod)).status).toBe(200);
    const { store } = wiki.app.service;
    const words = { memberId: bob.id, verdict: 'comment', text: 'Words', revision: 1 } as const;
    await store.transact(async (store) => {
      const { revision } = (await store.proposals.lock(id)) ?? { revision: 1 };
      for (let n = 0; n < 101; n++) await store.proposals.addReview(id, { ...words, revision }, Date.now());
    });
    expect((await merge(id, bob)).status).toBe(200);
  });

  test('a credential with fewer rights than its member sets no time at which a proposal merges with all of them', async () => {
    await page('/part');
    await page('/part/in', { parent: '/part' });
    await page('/private', { permissions: 700 });
    const limited = await token(ada, false, { scopes: ['read', 'write'], ancestor: '/part' });
    const ofAdmin = await token(root, true, { scopes: ['read', 'write'] });
    const out = [{ action: 'move', path: '/part/in', to: '/escaped', parent: null }];
    expect((await propose(limited, out, { publishAt: later() })).status).toBe(403);
    const edit = [{ action: 'edit', path: '/part/in', body: 'two' }];
    expect((await propose(ofAdmin, edit, { publishAt: later() })).status).toBe(403);
    // Nor does it change what will merge at a time that was set.
    const { id } = (await propose(root, edit, { publishAt: later() })).json;
    const changes = [{ action: 'edit', path: '/part/in', permissions: 700 }];
    expect((await call('PATCH', `/v1/proposals/${id}`, ofAdmin, { changes })).status).toBe(403);
    expect((await call('PATCH', `/v1/proposals/${id}`, ofAdmin, { publishAt: null })).status).toBe(200);
    expect((await call('PATCH', `/v1/proposals/${id}`, ofAdmin, { changes })).status).toBe(200);
    const { store, services } = wiki.app.service;
    expect(await publishDue(store, await services.files(), Date.now() + 2 * 3_600_000)).toBe(0);
    expect((await call('GET', '/v1/pages/part/in', bob)).status).toBe(200);
  });
});
