/** Groups: who manages them, access to their pages for members and others, and that leaving takes effect at once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyPages } from '#core/maintenance/verify-pages.ts';
import { followProvider } from '#core/members/groups.ts';
import { actorOf as asActor, type Member } from '#core/model/member.ts';
import { completeTitles } from '#core/search/complete-titles.ts';
import { engines, startApp, type TestApp } from '../support/http.ts';
import { addApiToken } from '../support/tokens.ts';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  type Who = { id: number; token: string };
  let root: Who;
  let ada: Who;
  let bob: Who;
  let cem: Who;
  let now = Date.UTC(2026, 0, 1);

  beforeAll(async () => {
    wiki = await startApp({}, { engine, clock: () => (now += 100) });
    root = await wiki.member('Root', { isAdmin: true });
    ada = await wiki.member('Ada');
    bob = await wiki.member('Bob');
    cem = await wiki.member('Cem');
  });
  afterAll(async () => {
    const { store } = wiki.app.service;
    expect(await store.maintenance.violations(10)).toEqual([]);
    expect(await Array.fromAsync(verifyPages(store))).toEqual([]);
    await wiki.close();
  });

  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, who?: Who, json?: unknown) =>
    wiki.call(method, url, { ...(who ? { token: who.token } : {}), ...(json === undefined ? {} : { json }) });
  const get = (url: string, who?: Who) => call('GET', url, who);
  const edit = (path: string, who: Who, json: object) => call('POST', `/v1/pages${path}`, who, json);
  const makeGroup = async (name: string, ...members: Who[]): Promise<number> => {
    const made = await call('POST', '/v1/groups', root, { name });
    expect(made.status, made.text).toBe(200);
    for (const { id } of members)
      expect((await call('PUT', `/v1/groups/${made.json.id}/members/${id}`, root)).status).toBe(204);
    return made.json.id;
  };
  const leave = (group: number, who: Who) => call('DELETE', `/v1/groups/${group}/members/${who.id}`, root);
  const titles = async (url: string, who?: Who) =>
    ((await get(url, who)).json as { title: string }[]).map(({ title }) => title);

  test('administrators manage groups; members see their own', async () => {
    const made = await call('POST', '/v1/groups', root, { name: '  Night   watch ' });
    expect(made.json).toEqual({ id: expect.any(Number), name: 'Night watch', members: [], memberCount: 0 });
    const { id } = made.json;
    expect((await call('PUT', `/v1/groups/${id}/members/${ada.id}`, root)).status).toBe(204);
    expect((await call('PUT', `/v1/groups/${id}/members/${ada.id}`, root)).status).toBe(204);
    expect((await call('PUT', `/v1/groups/${id}/members/999`, root)).status).toBe(404);
    expect((await call('PUT', `/v1/groups/999/members/${ada.id}`, root)).status).toBe(404);

    const shown = { id, name: 'Night watch', members: [{ id: ada.id, name: 'Ada' }], memberCount: 1 };
    for (const who of [root, ada]) {
      expect((await get('/v1/groups', who)).json).toEqual([shown]);
      expect((await get(`/v1/groups/${id}`, who)).json).toEqual(shown);
    }
    expect((await get('/v1/groups', bob)).json).toEqual([]);
    expect((await get(`/v1/groups/${id}`, bob)).status).toBe(404);
    expect((await get('/v1/groups')).status).toBe(401);

    for (const [method, url] of [
      ['POST', '/v1/groups'],
      ['POST', `/v1/groups/${id}`],
      ['DELETE', `/v1/groups/${id}`],
      ['PUT', `/v1/groups/${id}/members/${bob.id}`],
      ['DELETE', `/v1/groups/${id}/members/${ada.id}`],
    ] as const)
      expect((await call(method, url, ada, method === 'POST' ? { name: 'Mine' } : undefined)).status).toBe(
        403,
      );

    const renamed = await call('POST', `/v1/groups/${id}`, root, { name: 'Day watch' });
    expect(renamed.json.name).toBe('Day watch');
    expect((await leave(id, ada)).status).toBe(204);
    expect((await get('/v1/groups', ada)).json).toEqual([]);
    expect((await call('DELETE', `/v1/groups/${id}`, root)).status).toBe(204);
    expect((await call('DELETE', `/v1/groups/${id}`, root)).status).toBe(404);
  });

  test('a group needs a valid name that no other group has', async () => {
    await makeGroup('Straße');
    for (const name of ['', '  ', 'x'.repeat(101), 'a\u0000b', 'zero\u200bwidth', 'Members', 'STRAßE']) {
      const refused = await call('POST', '/v1/groups', root, { name });
      expect([refused.status, refused.json.errors?.[0].pointer], name).toEqual([400, '/name']);
    }
    expect((await call('POST', '/v1/groups', root, { name: 7 })).status).toBe(400);
    expect((await call('POST', '/v1/groups', root, {})).status).toBe(400);
  });

  test('a page of a group is visible only to its members, its owner and administrators, wherever it would be shown', async () => {
    const id = await makeGroup('Gardeners', ada, bob);
    await wiki.page(cem.token, { title: 'Greenhouse', body: 'See [[Orchid]] and [[/orchid]].' });
    const page = await wiki.page(ada.token, {
      title: 'Orchid',
      permissions: 770,
      group: 'gardeners',
      body: 'Rarebloom [[kind:orchid]] [[Greenhouse]] [[Seedling]] [[Location: 3, 4]]',
    });
    expect([page.group, page.permissions]).toEqual(['Gardeners', 770]);

    const { store } = wiki.app.service;
    const actorOf = async (who?: Who) =>
      who ? asActor((await store.members.findById(who.id)) as Member) : null;
    const sees = async (who?: Who) => [
      (await get('/v1/pages/orchid', who)).status,
      await titles('/v1/pages?text=rarebloom', who),
      await titles('/v1/pages?tag=kind:orchid', who),
      (await get('/v1/pages?title=orchid', who)).headers['x-total-count'],
      ((await get('/v1/near/3/4/10', who)).json as { title: string }[]).map(({ title }) => title),
      (await completeTitles(store.readAs(await actorOf(who)), 'orch', 10)).map(({ title }) => title),
      ((await get('/v1/backlinks/greenhouse', who)).json as { title: string }[]).map(({ title }) => title),
      ((await get('/v1/updates/1000', who)).json as { title: string }[]).some(
        ({ title }) => title === 'Orchid',
      ),
      ((await get('/v1/requested/1000', who)).json as { title: string }[])
        .map(({ title }) => title)
        .filter((title) => ['Orchid', '/orchid', 'Seedling'].includes(title))
        .sort(),
      ((await get('/v1/changes?limit=1000', who)).json.changes as { page: { title: string | null } }[]).some(
        ({ page }) => page.title === 'Orchid',
      ),
      (await get('/v1/export?format=jsonl', who)).text.includes('Rarebloom'),
      (await get('/v1/pages/greenhouse', who)).json.markup.includes('class="new"'),
    ];
    const all = [
      200,
      ['Orchid'],
      ['Orchid'],
      '1',
      ['Orchid'],
      ['Orchid'],
      ['Orchid'],
      true,
      ['Seedling'],
      true,
      true,
      false,
    ];
    const nothing = [404, [], [], '0', [], [], [], false, ['/orchid', 'Orchid'], false, false, true];
    for (const who of [ada, bob, root]) expect(await sees(who)).toEqual(all);
    for (const who of [cem, undefined]) expect(await sees(who)).toEqual(nothing);
    expect((await edit('/orchid', bob, { msg: 'seen' })).status).toBe(200);
    expect((await edit('/orchid', cem, { msg: 'seen' })).status).toBe(401);

    // Joining and leaving take effect at once.
    expect((await call('PUT', `/v1/groups/${id}/members/${cem.id}`, root)).status).toBe(204);
    expect(await sees(cem)).toEqual(all);
    await leave(id, cem);
    expect(await sees(cem)).toEqual(nothing);
    // The owner reads by the first permission digit; without it, only as a group member.
    await leave(id, ada);
    expect(await sees(ada)).toEqual(all);
    expect((await edit('/orchid', root, { permissions: 70 })).status).toBe(200);
    expect(await sees(ada)).toEqual(nothing);
    expect(await sees(bob)).toEqual(all);
  });

  test('only one’s own groups can be chosen, and only by owner and administrators', async () => {
    await makeGroup('Makers', ada);
    await makeGroup('Others', bob);
    await wiki.page(ada.token, { title: 'Made', group: 'Makers' });
    // A writer cannot change the group; naming the current one is no change.
    expect((await edit('/made', bob, { group: 'Makers', body: 'more' })).status).toBe(401);
    expect((await edit('/made', root, { permissions: 776 })).status).toBe(200);
    for (const group of ['Others', 'members', null, 'Nothing of the kind'])
      expect((await edit('/made', bob, { group })).status, String(group)).toBe(401);
    expect((await edit('/made', bob, { group: 'makers', body: 'more' })).status).toBe(200);
    for (const group of ['Others', 'Nothing of the kind']) {
      const refused = await edit('/made', ada, { group });
      expect([refused.status, refused.json.errors[0].pointer]).toEqual([400, '/group']);
      expect(refused.json.detail).toBe(`There is no group “${group}” that you are in.`);
      expect((await call('POST', '/v1/pages', ada, { title: 'No', group })).status).toBe(400);
    }
    expect((await edit('/made', ada, { group: 7 })).status).toBe(400);
    expect((await edit('/made', root, { group: 'Others' })).json.page.group).toBe('Others');
    // Ada is not in it: she can return the page to all members, but not undo that.
    expect((await edit('/made', ada, { group: 'members' })).json.page.group).toBe('members');
    expect((await edit('/made', ada, { group: 'Others' })).status).toBe(400);
    const { history } = (await get('/v1/pages/made', ada)).json.page;
    expect(history.map(({ content }: { content: { group: string } }) => content.group)).toEqual([
      ...['Makers', 'Makers', 'Makers', 'Others', 'members'],
    ]);
  });

  test('a group with pages, in the trash or not, cannot be deleted; its new name shows at once', async () => {
    const id = await makeGroup('Keepers', ada);
    await wiki.page(ada.token, { title: 'Kept', permissions: 770, group: 'Keepers', body: 'one' });
    const inUse = await call('DELETE', `/v1/groups/${id}`, root);
    expect([inUse.status, inUse.json.pages, inUse.json.trashed]).toEqual([409, 1, 0]);
    await call('POST', `/v1/groups/${id}`, root, { name: 'Wardens' });
    expect((await get('/v1/pages/kept', ada)).json.page.group).toBe('Wardens');
    expect((await get('/v1/pages?path=/kept', ada)).json[0].group).toBe('Wardens');

    const removed = await call('DELETE', '/v1/pages/kept', ada);
    expect((await call('DELETE', `/v1/groups/${id}`, root)).json.trashed).toBe(1);
    expect((await get('/v1/pages/kept', bob)).status).toBe(404);
    expect((await get('/v1/trash', bob)).json).toEqual([]);
    expect((await get('/v1/pages/kept', ada)).status).toBe(410);
    const restored = await call('POST', `/v1/trash/${removed.json.trash.id}/restore`, ada, {});
    expect([restored.json.page.group, restored.json.page.permissions]).toEqual(['Wardens', 770]);
    expect((await get('/v1/pages/kept', bob)).status).toBe(404);

    await edit('/kept', ada, { body: 'two', group: 'members' });
    const [first] = (await get('/v1/pages/kept', ada)).json.page.history;
    const diff = (await get('/v1/diff/kept', ada)).json;
    expect(diff.fields).toContainEqual({ field: 'group', from: 'Keepers', to: 'members' });
    // Rollback restores the text, but neither group nor permissions.
    const back = await call('POST', '/v1/rollback/kept', ada, { to: first.id });
    expect([back.json.page.group, back.json.page.history.at(-1).content.body]).toEqual(['members', 'one']);
    expect((await call('DELETE', `/v1/groups/${id}`, root)).status).toBe(204);
    expect((await get('/v1/pages/kept', ada)).json.page.history[0].content.group).toBe('Keepers');
  });

  test('a page defines access of new pages beneath it; the nearest definition applies, unless access is given explicitly', async () => {
    const id = await makeGroup('Board', ada, cem);
    expect((await edit('/made', bob, { defaults: { permissions: 700 } })).status).toBe(401);
    const board = await wiki.page(ada.token, {
      ...{ title: 'Board', permissions: 770, group: 'Board', defaults: { permissions: 770, group: 'board' } },
    });
    expect(board.defaults).toEqual({ permissions: 770, group: 'Board' });
    const made = async (who: Who, fields: object) => {
      const { permissions, group } = await wiki.page(who.token, fields as Record<string, unknown>);
      return [permissions, group];
    };
    expect(await made(ada, { title: 'Minutes', parent: '/board' })).toEqual([770, 'Board']);
    expect(await made(cem, { title: 'May', parent: '/board/minutes' })).toEqual([770, 'Board']);
    expect(await made(cem, { title: 'June', parent: '/board/minutes', permissions: 774 })).toEqual([
      774,
      'Board',
    ]);
    expect(await made(cem, { title: 'July', parent: '/board/minutes', group: 'members' })).toEqual([
      770,
      'members',
    ]);
    expect(
      (await edit('/board/minutes', ada, { defaults: { permissions: 744 } })).json.page.defaults,
    ).toEqual({
      ...{ permissions: 744, group: 'members' },
    });
    expect(await made(cem, { title: 'August', parent: '/board/minutes' })).toEqual([744, 'members']);
    expect((await call('DELETE', `/v1/groups/${id}`, root)).json.pages).toBe(4);
    await edit('/board/minutes', ada, { defaults: null });
    expect((await get('/v1/pages/board/minutes', ada)).json.page).not.toHaveProperty('defaults');
    expect(await made(cem, { title: 'September', parent: '/board/minutes' })).toEqual([770, 'Board']);
    // API defaults, as no page above sets any.
    expect(await made(cem, { title: 'Plain' })).toEqual([774, 'members']);
    for (const defaults of [{ permissions: 888 }, { group: 'Nothing' }, 7, { group: 'Board\u0000' }])
      expect((await edit('/board', ada, { defaults })).status, JSON.stringify(defaults)).toBe(400);
  });

  test('readers who lose access by a change of group are informed only of that', async () => {
    await makeGroup('Few', ada);
    await wiki.page(ada.token, { title: 'Shared', permissions: 770 });
    const { next } = (await get('/v1/changes?after=latest', bob)).json;
    const news = async (who: Who) =>
      ((await get(`/v1/changes?after=${next}`, who)).json.changes as { kind: string; page: object }[]).map(
        ({ kind, page }) => [kind, (page as { title: string | null }).title],
      );
    await edit('/shared', ada, { group: 'Few', body: 'Now for few' });
    expect(await news(bob)).toEqual([['permissions', null]]);
    expect(await news(ada)).toEqual([
      ['edited', 'Shared'],
      ['permissions', 'Shared'],
    ]);
  });

  test('access of a subtree changes at once, after a dry run that reports who gains and loses', async () => {
    await makeGroup('Committee', ada, bob);
    await wiki.page(ada.token, { title: 'Hedge', body: '[[Twig]]' });
    await wiki.page(ada.token, {
      title: 'Branch',
      parent: '/hedge',
      body: 'Unheardof [[Absent thing]] [[Hedge]]',
    });
    await wiki.page(cem.token, { title: 'Twig', parent: '/hedge/branch' });
    await wiki.page(bob.token, { title: 'Nest', parent: '/hedge', permissions: 700 });
    const change = (who: Who, json: object, path = '/hedge') =>
      call('POST', `/v1/permissions${path}`, who, json);
    const wish = { permissions: 770, group: 'committee' };

    expect((await change(bob, wish)).status).toBe(401);
    expect((await change(ada, { group: 'Nothing' })).status).toBe(400);
    expect((await change(ada, {})).status).toBe(400);
    expect((await change(ada, { permissions: 999 })).status).toBe(400);
    expect((await change(ada, wish, '/nowhere')).status).toBe(404);
    const before = await get('/v1/pages/hedge', cem);
    const dry = await change(ada, { ...wish, dryRun: true });
    expect(dry.json).toEqual({
      pages: 2,
      // Nest is not counted, as Ada may not read it.
      kept: 1,
      gains: [],
      loses: [
        { who: 'everyone', action: 'read', pages: 2 },
        { who: 'members', action: 'read', pages: 2 },
        { who: 'members', action: 'write', pages: 2 },
      ],
    });
    expect((await get('/v1/pages/hedge', cem)).text).toBe(before.text);

    const { next } = (await get('/v1/changes?after=latest', cem)).json;
    expect((await change(ada, { ...wish, msg: 'For the committee' })).json).toEqual(dry.json);
    for (const [who, status] of [
      [ada, 200],
      [bob, 200],
      [cem, 404],
      [undefined, 404],
    ] as const)
      for (const path of ['/hedge', '/hedge/branch'])
        expect((await get(`/v1/pages${path}`, who)).status).toBe(status);
    expect((await get('/v1/pages/hedge/branch/twig', cem)).json.page.permissions).toBe(774);
    expect(await titles('/v1/pages?text=unheardof', cem)).toEqual([]);
    expect(await titles('/v1/requested/1000', cem)).not.toContain('Absent thing');
    expect(await titles('/v1/requested/1000', bob)).toContain('Absent thing');
    const lost = (await get(`/v1/changes?after=${next}`, cem)).json.changes;
    expect(lost.map(({ kind, page }: { kind: string; page: { path: string } }) => [kind, page.path])).toEqual(
      [
        ['permissions', '/hedge'],
        ['permissions', '/hedge/branch'],
      ],
    );
    const { page } = (await get('/v1/pages/hedge/branch', bob)).json;
    expect(
      page.history.map(({ msg, content }: { msg: string; content: { group: string } }) => [
        msg,
        content.group,
      ]),
    ).toEqual([
      ['', 'members'],
      ['For the committee', 'Committee'],
    ]);
    // Repeating the change has no effect.
    expect((await change(ada, wish)).json).toEqual({ pages: 0, kept: 1, gains: [], loses: [] });
    expect((await get('/v1/history/hedge', ada)).json).toHaveLength(2);

    const opened = await change(root, { permissions: 774, group: 'members', history: 'from now' });
    expect(opened.json.pages).toBe(3);
    expect(opened.json.gains).toContainEqual({ who: 'everyone', action: 'read', pages: 3 });
    expect((await get('/v1/pages/hedge/nest')).json.page.history).toHaveLength(1);
    expect((await get('/v1/history/hedge/nest', bob)).json).toHaveLength(2);
  });

  test('a provider adds a member to existing groups, and removes them only from groups that it added', async () => {
    const { store } = wiki.app.service;
    const [byHand, told] = [await makeGroup('By hand', cem), await makeGroup('Told', ada)];
    const groupsOf = async () => (await store.members.findById(cem.id))?.groupIds ?? [];
    const before = await groupsOf();
    await followProvider(store, cem.id, ['told', 'By hand', 'No such group'], now);
    expect(await groupsOf()).toEqual([...before, told].sort((a, b) => a - b));
    // Membership added by hand, so the provider does not remove it.
    await followProvider(store, cem.id, ['Told'], now);
    expect(await groupsOf()).toContain(byHand);
    await followProvider(store, cem.id, [], now);
    expect(await groupsOf()).toEqual(before);
    await followProvider(store, cem.id, ['Told'], now);
    await call('PUT', `/v1/groups/${told}/members/${cem.id}`, root);
    await followProvider(store, cem.id, [], now);
    expect(await groupsOf()).toContain(told);
  });

  test('an API token has the groups of its member, and a limited one only beneath its page', async () => {
    const { service } = wiki.app;
    const id = await makeGroup('Bots', cem);
    await wiki.page(ada.token, { title: 'Depot' });
    await edit('/depot', root, {
      permissions: 770,
      group: 'Bots',
      defaults: { permissions: 770, group: 'Bots' },
    });
    await wiki.page(cem.token, { title: 'Crate', parent: '/depot' });
    const elsewhere = await wiki.page(cem.token, { title: 'Elsewhere', permissions: 770, group: 'Bots' });
    const actor = { memberId: cem.id, name: 'Cem', isAdmin: false, groupIds: [id] };
    const tokenOf = async (input: object) => ({
      id: cem.id,
      token: (
        await addApiToken(service.store, actor, { name: 'x', scopes: ['read', 'write'], ...input }, now)
      ).secret,
    });
    const whole = await tokenOf({});
    const limited = await tokenOf({ ancestor: '/depot' });
    const status = async (who: Who) => [
      (await get('/v1/pages/depot/crate', who)).status,
      (await edit('/depot/crate', who, { msg: 'x' })).status,
      (await get(`/v1/pages${elsewhere.path}`, who)).status,
    ];
    expect(await status(whole)).toEqual([200, 200, 200]);
    expect(await status(limited)).toEqual([200, 200, 404]);
    await leave(id, cem);
    // He still owns the crate.
    expect(await status(whole)).toEqual([200, 200, 200]);
    expect((await get('/v1/pages/depot', whole)).status).toBe(404);
    expect((await get('/v1/pages/depot', limited)).status).toBe(404);
  });

  test('concurrent additions of a member to different groups both succeed', async () => {
    const ids = await Promise.all(['One', 'Two', 'Three', 'Four'].map((name) => makeGroup(name)));
    const done = await Promise.all(ids.map((id) => call('PUT', `/v1/groups/${id}/members/${bob.id}`, root)));
    expect(done.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    const member = await wiki.app.service.store.members.findById(bob.id);
    expect(member?.groupIds).toEqual(expect.arrayContaining(ids));
  });
});
