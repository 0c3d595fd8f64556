/** Sharing pages with groups and members: who may, what it gives and to whom, and what stays hidden. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyPages } from '#core/maintenance/verify-pages.ts';
import { addToGroup, removeFromGroup } from '../support/groups.ts';
import { engines, startApp, type TestApp } from '../support/http.ts';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  type Who = { id: number; token: string };
  let [root, ada, bob, cem]: Who[] = [];
  let now = Date.UTC(2026, 0, 1);

  beforeAll(async () => {
    wiki = await startApp({}, { engine, clock: () => (now += 1000) });
    root = await wiki.member('Root', { isAdmin: true });
    [ada, bob, cem] = [await wiki.member('Ada'), await wiki.member('Bob'), await wiki.member('Cem')];
    for (const name of ['Board', 'Editors']) await call('POST', '/v1/groups', root, { name });
    await addToGroup(wiki.app.service.store, 1, ada?.id ?? 0, now);
  });
  afterAll(async () => {
    const { store } = wiki.app.service;
    expect(await store.maintenance.violations(10)).toEqual([]);
    expect(await Array.fromAsync(verifyPages(store))).toEqual([]);
    await wiki.close();
  });

  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, who?: Who, json?: unknown) =>
    wiki.call(method, url, { ...(who ? { token: who.token } : {}), ...(json === undefined ? {} : { json }) });
  const share = (path: string, who: Who | undefined, grants: unknown) =>
    call('PUT', `/v1/access${path}`, who, { grants });
  const sees = async (path: string, who?: Who) => (await call('GET', `/v1/pages${path}`, who)).status === 200;
  const page = async (title: string, more: object = {}, who = ada) => {
    const made = await call('POST', '/v1/pages', who, { title, permissions: 700, ...more });
    expect(made.status, made.text).toBe(200);
  };

  test('grants show where they come from, what they mean, and let in those whom they name', async () => {
    await page('Plan');
    await page('Draft', { parent: '/plan' });
    const answer = await share('/plan', ada, [
      { group: 'board', may: 'write', beneath: true },
      { member: bob?.id, may: 'read' },
    ]);
    expect(answer.status, answer.text).toBe(200);
    const grants = [
      { group: 'Board', may: 'write', beneath: true },
      { member: bob?.id, name: 'Bob', may: 'read', beneath: false },
    ];
    expect(answer.json).toEqual({
      ...{ code: 700, group: 'members', grants, inherited: [], deleted: [] },
      summary:
        'Only the owner, the group “Board” and Bob can read, only the owner and the group “Board” can edit',
      version: `group 1 write beneath, member ${bob?.id} read`,
    });
    expect((await call('GET', '/v1/access/plan', root)).json).toEqual(answer.json);
    expect((await call('GET', '/v1/access/plan/draft', ada)).json).toEqual({
      ...{ code: 700, group: 'members', grants: [] },
      inherited: [{ from: '/plan', ...grants[0] }],
      deleted: [],
      summary: 'Only the owner and the group “Board” can read and edit',
      version: 'none',
    });
    expect([await sees('/plan', bob), await sees('/plan/draft', bob)]).toEqual([true, false]);
    expect([await sees('/plan', cem), await sees('/plan')]).toEqual([false, false]);
    await addToGroup(wiki.app.service.store, 1, cem?.id ?? 0, now);
    expect([await sees('/plan', cem), await sees('/plan/draft', cem)]).toEqual([true, true]);
    expect((await call('POST', '/v1/pages/plan/draft', cem, { body: 'By Cem' })).status).toBe(200);
    expect((await call('POST', '/v1/pages/plan', bob, { body: 'By Bob' })).status).toBe(401);
    await removeFromGroup(wiki.app.service.store, 1, cem?.id ?? 0);
    expect(await sees('/plan/draft', cem)).toBe(false);
  });

  test('only the owner and administrators see and change grants; pages name them to nobody else', async () => {
    for (const who of [bob, cem, undefined])
      for (const answer of [await call('GET', '/v1/access/plan', who), await share('/plan', who, [])])
        expect([401, 404]).toContain(answer.status);
    const shown = async (who?: Who) => (await call('GET', '/v1/pages/plan', who)).json.page.grants;
    expect(await shown(ada)).toHaveLength(2);
    expect(await shown(bob)).toBeUndefined();
    expect(JSON.stringify((await call('GET', '/v1/pages/plan', bob)).json)).not.toContain('Board');
    const kept = await call('POST', '/v1/pages/plan', ada, { body: 'Edited' });
    expect(kept.json.page.grants).toHaveLength(2);
  });

  test('a change that names the version it started from is refused once the grants are others', async () => {
    const { version, grants } = (await call('GET', '/v1/access/plan', ada)).json;
    const send = (version: string, may: string) =>
      call('PUT', '/v1/access/plan', ada, { grants: [{ member: bob?.id, may }], version });
    const answers = await Promise.all([send(version, 'read'), send(version, 'write')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect(answers.find(({ status }) => status === 412)?.json.title).toBe('Access changed');
    const back = grants.map(({ name: _, ...grant }: { name?: string }) => grant);
    expect((await share('/plan', ada, back)).json.version).toBe(version);
  });

  test('the owner and administrators learn whether somebody can read and edit, and why', async () => {
    const check = async (as: unknown, who = ada) =>
      (await call('GET', `/v1/access/plan/draft?as=${as}`, who)).json.check;
    expect(await check('stranger')).toEqual({
      ...{ member: null, read: { allowed: false, because: [] } },
      edit: { allowed: false, because: [], hindered: null },
    });
    const because = [{ by: 'owner' }];
    const grant = { by: 'grant', from: '/plan', group: 'Board', may: 'write', beneath: true };
    expect(await check(ada?.id)).toEqual({
      member: { id: ada?.id, name: 'Ada' },
      read: { allowed: true, because: [...because, grant] },
      edit: { allowed: true, because: [...because, grant], hindered: null },
    });
    expect((await check(cem?.id)).read).toEqual({ allowed: false, because: [] });
    for (const as of ['0', '999', 'x', '']) {
      const refused = await call('GET', `/v1/access/plan/draft?as=${as}`, ada);
      expect(refused.status, as).toBe(400);
    }
    expect((await call('GET', `/v1/access/plan?as=${cem?.id}`, bob)).status).toBe(401);
    // Owners do not learn that a member is blocked; administrators do.
    await addToGroup(wiki.app.service.store, 1, cem?.id ?? 0, now);
    await call('POST', `/v1/members/${cem?.id}/block`, root, { reason: 'Rest' });
    expect((await check(cem?.id)).edit).toEqual({ allowed: true, because: [grant], hindered: null });
    expect((await check(cem?.id, root)).edit).toMatchObject({ allowed: false, hindered: 'blocked' });
    await call('DELETE', `/v1/members/${cem?.id}/block`, root);
    await removeFromGroup(wiki.app.service.store, 1, cem?.id ?? 0);
  });

  test('groups and members are found by any word of their names, groups only by those who may give them', async () => {
    const find = async (name: string, who = ada) =>
      (await call('GET', `/v1/access?name=${encodeURIComponent(name)}`, who)).json;
    expect(await find('BO')).toEqual({
      groups: [{ id: 1, name: 'Board' }],
      members: [{ id: bob?.id, name: 'Bob' }],
    });
    expect((await find('ed')).groups).toEqual([]);
    expect((await find('ed', root)).groups).toEqual([{ id: 2, name: 'Editors' }]);
    expect(await find('%')).toEqual({ groups: [], members: [] });
    expect((await call('GET', '/v1/access?name=b')).status).toBe(401);
    for (const url of ['/v1/access', '/v1/access?name=', `/v1/access?name=${'x'.repeat(101)}`])
      expect((await call('GET', url, ada)).status, url).toBe(400);
    const left = await wiki.member('Ulla Leaving');
    expect((await find('leav')).members).toEqual([{ id: left.id, name: 'Ulla Leaving' }]);
    await wiki.app.service.store.members.update(left.id, { isActive: false });
    expect((await find('leav')).members).toEqual([]);
  });

  test('a grant without a grantee, with two, given twice, or for an unknown member or a foreign group is refused', async () => {
    const before = (await call('GET', '/v1/access/plan', ada)).json;
    for (const grants of [
      [{ may: 'read' }],
      [{ group: 'Board', member: bob?.id, may: 'read' }],
      [
        { member: bob?.id, may: 'read' },
        { member: bob?.id, may: 'write' },
      ],
      [{ member: 999, may: 'read' }],
      [{ group: 'Editors', may: 'read' }],
      [{ group: 'Nobodies', may: 'read' }],
      [{ member: bob?.id, may: 'rule' }],
      Array.from({ length: 101 }, (_, i) => ({ member: i + 1, may: 'read' })),
      'everybody',
    ])
      expect((await share('/plan', ada, grants)).status, JSON.stringify(grants)).toBe(400);
    expect((await call('GET', '/v1/access/plan', ada)).json).toEqual(before);
    expect((await share('/plan', root, [{ group: 'Editors', may: 'read' }])).status).toBe(200);
    // The owner may keep what an administrator added.
    expect((await share('/plan', ada, [{ group: 'Editors', may: 'write' }])).status).toBe(200);
  });

  test('a deleted group lets nobody in, is named until the grants change, and is not mistaken for a new one', async () => {
    const id = (await call('POST', '/v1/groups', root, { name: 'Jury' })).json.id;
    await addToGroup(wiki.app.service.store, id, cem?.id ?? 0, now);
    await page('Verdict');
    await share('/verdict', root, [
      { group: 'Jury', may: 'read', beneath: true },
      { member: bob?.id, may: 'read' },
    ]);
    expect(await sees('/verdict', cem)).toBe(true);
    expect((await call('DELETE', `/v1/groups/${id}`, root)).status).toBe(204);
    const later = (await call('POST', '/v1/groups', root, { name: 'Jury' })).json.id;
    await addToGroup(wiki.app.service.store, later, cem?.id ?? 0, now);
    expect(await sees('/verdict', cem)).toBe(false);
    const { json } = await call('GET', '/v1/access/verdict', ada);
    expect(json).toMatchObject({ deleted: ['Jury'], grants: [{ name: 'Bob' }] });
    expect(json.summary).toBe('Only the owner and Bob can read, only the owner can edit');
    const saved = await share(
      '/verdict',
      ada,
      json.grants.map(({ name: _, ...grant }: { name: string }) => grant),
    );
    expect([saved.json.deleted, saved.json.grants.length]).toEqual([[], 1]);
  });

  test('deleting and restoring a page keeps its grants; a page that returns beneath others inherits anew', async () => {
    await page('Box');
    await page('Thing', { parent: '/box' });
    await share('/box', ada, [{ member: bob?.id, may: 'read', beneath: true }]);
    await share('/box/thing', ada, [{ member: cem?.id, may: 'read' }]);
    const deleted = await call('DELETE', '/v1/pages/box/thing', ada);
    expect(((await call('GET', '/v1/trash', bob)).json as object[]).length).toBe(1);
    await share('/box', ada, []);
    await call('POST', `/v1/trash/${deleted.json.trash.id}/restore`, ada, {});
    expect([await sees('/box/thing', bob), await sees('/box/thing', cem)]).toEqual([false, true]);
  });

  test('two people who share a page and create one beneath it at once both succeed', async () => {
    await page('Race');
    const [shared, ...made] = await Promise.all([
      share('/race', ada, [{ member: bob?.id, may: 'write', beneath: true }]),
      ...Array.from({ length: 5 }, (_, i) =>
        call('POST', '/v1/pages', ada, { title: `R${i}`, parent: '/race', permissions: 700 }),
      ),
    ]);
    expect([shared?.status, ...made.map(({ status }) => status)]).toEqual([200, 200, 200, 200, 200, 200]);
    for (let i = 0; i < 5; i++) expect(await sees(`/race/r${i}`, bob)).toBe(true);
  });

  test('a guest sees and edits what is shared, creates only beneath it, and is no member in any list', async () => {
    const gus = await wiki.member('Gus');
    await wiki.app.service.store.members.update(gus.id, { role: 'guest' });
    await page('For members', { permissions: 770 });
    await page('For all', { permissions: 774 });
    await page('Shared', {});
    await share('/shared', ada, [{ member: gus.id, may: 'write', beneath: true }]);
    expect([
      await sees('/for-members', gus),
      await sees('/for-all', gus),
      await sees('/shared', gus),
    ]).toEqual([...[false, true, true]]);
    const found = (await call('GET', '/v1/pages?path=/', gus)).json as { path: string }[];
    expect(found.map(({ path }) => path).sort()).toEqual(['/for-all', '/shared']);
    const create = (json: object) => call('POST', '/v1/pages', gus, { title: 'By a guest', ...json });
    expect((await create({})).status).toBe(401);
    expect((await create({ parent: '/for-all' })).status).toBe(401);
    expect((await create({ parent: '/shared' })).status).toBe(200);
    expect((await call('POST', '/v1/pages/for-all', gus, { body: 'x' })).status).toBe(401);
    // No other way leads out of what is shared: copies, moves, or the order of the root pages.
    const out = ['/by-a-guest', '/for-all/by-a-guest'];
    for (const to of out) expect((await call('POST', '/v1/copies/shared', gus, { to })).status, to).toBe(401);
    for (const parent of [0, '/for-all'])
      expect((await call('POST', '/v1/pages/shared/by-a-guest', gus, { parent })).status).toBe(401);
    expect((await call('GET', '/v1/order', gus)).status).toBe(401);
    expect((await call('PUT', '/v1/order', gus, { children: [] })).status).toBe(401);
    expect((await call('POST', '/v1/copies/shared', gus, { to: '/shared/copy' })).status).toBe(200);
    // The cache has just shown the page to members, and does not show it to a guest.
    for (const who of [bob, cem, gus])
      expect(await sees('/for-members', who), who?.token.slice(0, 1)).toBe(who !== gus);
  });

  test('a list that passes many rows shows and counts the same as a short one, for everybody', async () => {
    const dan = await wiki.member('Dan');
    await page('Deep');
    await page('Deep for the board', { parent: '/deep' });
    await share('/deep', ada, [{ member: dan.id, may: 'read' }]);
    await share('/deep/deep-for-the-board', ada, [{ group: 'board', may: 'read', beneath: true }]);
    const list = async (limit: number, who?: Who) => {
      const url = `/v1/pages?path=/deep&history=none&order=most+recent+update&limit=${limit}`;
      const { json, headers } = await call('GET', url, who);
      return [(json as { path: string }[]).map(({ path }) => path), headers['x-total-count']];
    };
    const updates = async (who?: Who) =>
      ((await call('GET', '/v1/updates/1000', who)).json as { path: string }[]).map(({ path }) => path);
    const both = ['/deep/deep-for-the-board', '/deep'];
    for (const [who, seen] of [
      [ada, both],
      [root, both],
      [dan, ['/deep']],
      [bob, []],
      [undefined, []],
    ] as const) {
      for (const limit of [10, 1000]) expect(await list(limit, who)).toEqual([seen, String(seen.length)]);
      expect((await updates(who)).filter((path) => path.startsWith('/deep'))).toEqual(seen);
    }
    await addToGroup(wiki.app.service.store, 1, dan.id, now);
    for (const limit of [10, 1000]) expect(await list(limit, dan)).toEqual([both, '2']);
  });

  test('only the owner and administrators move or restore a page beneath one whose pages are shared with others', async () => {
    await page('Open', { permissions: 774 });
    await page('Kept', { parent: '/open', body: 'private' });
    await page('Mine', { permissions: 774 }, bob);
    await share('/mine', bob, [{ member: bob?.id, may: 'read', beneath: true }]);
    const move = (who?: Who, to: object = { parent: '/mine' }) => call('POST', '/v1/pages/open', who, to);
    const refused = await move(bob);
    expect([refused.status, refused.json.type]).toEqual([401, '/v1/docs#problem-not-permitted']);
    expect((await call('GET', '/v1/moves/open?to=/mine/open&parent=/mine', bob)).status).toBe(401);
    expect(await sees('/open/kept', bob)).toBe(false);
    const { json } = await call('DELETE', '/v1/pages/open?subtree=true', root);
    const restore = (who?: Who) =>
      call('POST', `/v1/trash/${json.trash.id}/restore`, who, { path: '/mine/open' });
    expect((await restore(cem)).status).toBe(401);
    // The owner shares it knowingly, as by a grant.
    expect((await restore(ada)).status).toBe(200);
    expect(await sees('/mine/open/kept', bob)).toBe(true);
    // Others move it where it is shared with nobody else than before.
    await page('Inner', { parent: '/mine', permissions: 774 }, bob);
    const within = await call('POST', '/v1/pages/mine/open', cem, { parent: '/mine/inner' });
    expect(within.status, within.text).toBe(200);
    expect((await call('POST', '/v1/pages/mine/inner/open', cem, { parent: null })).status).toBe(200);
  });
});
