/** Proposals: rights of those who see them, approve them, and set the time at which they merge, and files. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SecondFactorRule } from '#core/model/member.ts';
import { publishDue } from '#src/features/proposals/loop.ts';
import { engines, type Method, startApp, type TestApp } from '../support/http.ts';
import { meddle } from '../support/rows.ts';
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
    const { store } = wiki.app.service;
    const actor = { memberId: who.id, name: 'X', isAdmin };
    const given = { name: 'Part', ...limits };
    return { token: (await addApiToken(store, actor, given, Date.now())).secret };
  };
  const publish = async (rule: SecondFactorRule = 'none') => {
    const { store, services } = wiki.app.service;
    return publishDue({ store, files: await services.files(), rule }, Date.now() + 2 * 3_600_000);
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

  test('reading with a proposal opens no hidden page by moving it beneath a shared one', async () => {
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

  test('neither views name groups of others, nor rules name hidden pages', async () => {
    const group = (await call('POST', '/v1/groups', root, { name: 'Secret circle' })).json;
    await page('/mine', {}, bob);
    const views = await Promise.all(
      ['Secret circle', 'No circle'].map(async (name) => {
        const fields = { group: name, defaults: { group: name }, body: 'two' };
        const { json } = await propose(bob, [{ action: 'edit', path: '/mine', ...fields }]);
        return { id: json.id, view: await call('GET', `/v1/pages/mine?proposal=${json.id}`, bob) };
      }),
    );
    const shown = views.map(({ view: { status, json } }) => {
      const { group, defaults, permissions } = json.page ?? {};
      return { status, group, defaults, permissions, markup: json.markup };
    });
    expect(shown[0]).toMatchObject({ status: 200, group: 'members' });
    expect(shown[0]).toEqual(shown[1]);
    expect((await merge(views[0]?.id ?? 0, bob)).status).toBe(400);
    expect((await call('PUT', `/v1/groups/${group.id}/members/${bob.id}`, root)).status).toBe(204);
    const seen = await call('GET', `/v1/pages/mine?proposal=${views[0]?.id}`, bob);
    expect(seen.json.page.group).toBe('Secret circle');

    await page('/vault', { permissions: 700 }, root);
    await page('/vault/shown', { parent: '/vault' }, root);
    expect((await call('PUT', '/v1/rules/vault', root, { approvals: 2 })).status).toBe(200);
    const rule = (await call('GET', '/v1/rules/vault/shown', bob)).json;
    expect(rule.inherited).toMatchObject([{ from: null, approvals: 2 }]);
    expect((await call('GET', '/v1/rules/vault/shown', root)).json.inherited[0].from).toBe('/vault');
  });

  test('views are reads where the wiki is read-only, and one member holds few of their places', async () => {
    await page('/seen');
    const { id } = (await propose(bob, [{ action: 'edit', path: '/seen', body: 'two' }])).json;
    const view = (who: Who) => call('GET', `/v1/pages/seen?proposal=${id}`, who);
    const many = Array.from({ length: 20 }, () => view(bob));
    const other = await view(ada);
    expect(other.status).toBe(200);
    const statuses = (await Promise.all(many)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(7);
    expect((await view(bob)).status).toBe(200);
    expect((await call('PATCH', '/v1/settings', root, { readOnly: true })).status).toBe(200);
    const readOnly = await view(ada);
    const write = await call('POST', '/v1/pages/seen', ada, { body: 'three' });
    expect((await call('PATCH', '/v1/settings', root, { readOnly: false })).status).toBe(200);
    expect((await call('POST', '/v1/pages/seen', ada, { body: 'three' })).status).toBe(200);
    expect([readOnly.status, readOnly.json.markup, write.status]).toEqual([200, expect.any(String), 503]);
    expect(readOnly.json.markup).toContain('two');
  });

  test('a proposal merges at its time only with the rights that its author still has', async () => {
    const [eve, admin] = [await wiki.member('Eve'), await wiki.member('Admin', { isAdmin: true })];
    await page('/timed');
    await page('/kept', { permissions: 700 });
    const timed = async (who: Who, path = '/timed') =>
      (await propose(who, [{ action: 'edit', path, body: `By ${who.id}` }], { publishAt: later() })).json.id;
    const refusal = async (id: number, who: Who) => {
      const { state, publishProblem } = (await call('GET', `/v1/proposals/${id}`, who)).json;
      return state === 'open' ? publishProblem : state;
    };
    const [blocked, byAdmin] = [await timed(eve), await timed(admin, '/kept')];
    const until = new Date(Date.now() + 30 * 3_600_000).toISOString();
    const block = { reason: 'Rest', until };
    expect((await call('POST', `/v1/members/${eve.id}/block`, mod, block)).status).toBe(200);
    expect(await publish('administrators')).toBe(2);
    expect(await refusal(blocked, eve)).toContain('Rest');
    expect(await refusal(byAdmin, admin)).toContain('second factor');
    expect((await call('GET', '/v1/pages/kept', ada)).json.markup).toContain('one');
    expect((await call('DELETE', `/v1/members/${eve.id}/block`, mod)).status).toBe(204);
    await call('PATCH', `/v1/proposals/${blocked}`, eve, { publishAt: later() });
    await call('PATCH', `/v1/members/${eve.id}`, root, { role: 'reader' });
    await publish();
    expect(await refusal(blocked, eve)).toContain('reader');
    // Neither do the approvals of an administrator count for more than they may do.
    await call('PATCH', `/v1/members/${eve.id}`, root, { role: 'writer' });
    await call('PUT', '/v1/rules/timed', ada, { approvals: 1 });
    await call('PATCH', `/v1/proposals/${blocked}`, eve, { publishAt: later() });
    expect((await review(blocked, admin)).status).toBe(200);
    await publish('administrators');
    expect(await refusal(blocked, eve)).toContain('approval');
    await call('PATCH', `/v1/proposals/${blocked}`, eve, { publishAt: later() });
    await publish();
    expect(await refusal(blocked, eve)).toBe('merged');
  });

  test('neither a read-only wiki nor an error in one proposal ends the merging of the next one', async () => {
    const timed = async (path: string) =>
      (await propose(bob, [{ action: 'create', path, title: 'Timed' }], { publishAt: later() })).json.id;
    const [broken, whole] = [await timed('/broken'), await timed('/whole')];
    const { databaseUrl: url } = wiki;
    const file = join(wiki.folder, 'coppice.db');
    const query = (text: string) => meddle(url ? { kind: 'postgres', url } : { kind: 'sqlite', file }, text);
    await query(`update proposal_changes set fields = '{' where proposal_id = ${broken}`);
    const pause = async (readOnly: boolean) => {
      await call('PATCH', '/v1/settings', root, { readOnly });
      // A request looks at the settings; the loop does so every second.
      await call('GET', '/v1/settings', root);
    };
    await pause(true);
    expect(await publish()).toBe(0);
    await pause(false);
    await expect(publish()).rejects.toThrow(SyntaxError);
    await query(`delete from proposal_changes where proposal_id = ${broken}`);
    expect(await publish()).toBe(1);
    expect((await call('GET', `/v1/proposals/${whole}`, bob)).json.state).toBe('merged');
  });

  test('a comment can be about words of one change, for those who see that change', async () => {
    const { id: pageId } = await page('/quoted', { permissions: 770 });
    await page('/inner', { permissions: 700 });
    const { id } = (
      await propose(ada, [
        { action: 'edit', path: '/quoted', body: 'Prune in March.\n\nNot before.' },
        { action: 'edit', path: '/inner', body: 'Hidden plan' },
      ])
    ).json;
    const say = (who: Who, on: object, fields: object = {}) => {
      const body = { verdict: 'comment', text: 'Sure?', on, ...fields };
      return call('POST', `/v1/proposals/${id}/reviews`, who, body);
    };
    expect((await say(ada, { path: '/inner', quote: 'plan' })).status).toBe(200);
    expect((await say(bob, { path: '/quoted', quote: 'in  March' })).json.reviews).toMatchObject([
      { on: { path: '/quoted', quote: 'in March' } },
    ]);
    for (const [on, fields] of [
      [{ path: '/inner' }, {}],
      [{ path: '/nowhere' }, {}],
      [{ path: '/quoted', quote: 'in April' }, {}],
      [{ path: '/quoted' }, { verdict: 'approve' }],
    ] as const)
      expect((await say(bob, on, fields)).status, JSON.stringify(on)).toBe(400);
    const seen = async (who: Who) =>
      (await call('GET', `/v1/proposals/${id}`, who)).json.reviews.map(
        ({ on }: { on: { quote: string } }) => on.quote,
      );
    expect([await seen(ada), await seen(bob)]).toEqual([['plan', 'in March'], ['in March']]);
    await call('POST', '/v1/pages/quoted', ada, { body: 'two' });
    const [, first] = (await call('GET', '/v1/history/quoted', ada)).json;
    const erasure = { id: pageId, changes: [first.id], reason: 'A name' };
    expect((await call('POST', '/v1/erase', root, erasure)).status).toBe(200);
    expect(await seen(ada)).toEqual(['plan', null]);
  });

  test('the number of reviews is bounded, and no comment keeps a verdict out', async () => {
    await page('/much');
    const { id } = (await propose(ada, [{ action: 'edit', path: '/much', body: 'two' }])).json;
    const { store } = wiki.app.service;
    const add = (verdict: 'approve' | 'comment', count: number) =>
      store.transact(async (store) => {
        const words = { memberId: bob.id, verdict, text: 'Words', revision: 0, on: null } as const;
        for (let n = 0; n < count; n++) await store.proposals.addReview(id, words, Date.now());
      });
    await add('comment', 100);
    expect((await review(id, bob, 'comment')).status).toBe(400);
    expect((await review(id, mod, 'comment')).status).toBe(200);
    await add('approve', 21);
    expect((await review(id, bob, 'reject')).status).toBe(200);
    expect(await store.proposals.countComments(id, bob.id)).toEqual({ all: 101, own: 100 });
    const { reviews } = (await call('GET', `/v1/proposals/${id}`, ada)).json;
    expect(reviews.at(-1)).toMatchObject({ verdict: 'reject' });
    expect(reviews.filter(({ verdict }: { verdict: string }) => verdict !== 'comment').length).toBe(20);
  });

  test('files are kept with a proposal, shown to those who see its change, and attached by the merge', async () => {
    const rea = await wiki.member('Rea');
    await call('PATCH', `/v1/members/${rea.id}`, root, { role: 'reader' });
    await page('/album', { permissions: 770 });
    const file = (name: string, text?: string) => ({
      file: { name, ...(text === undefined ? {} : { data: Buffer.from(text).toString('base64') }) },
    });
    const edit = { action: 'edit', path: '/album', body: 'See [[File:a.txt]]' };
    const create = { action: 'create', path: '/album/new', parent: '/album', title: 'New' };
    const made = await propose(rea, [
      { ...edit, files: [file('a.txt', 'first'), file('b.txt', 'second')] },
      { ...create, files: [file('c.txt', 'third')] },
    ]);
    expect(made.status, made.text).toBe(200);
    const { id, changes } = made.json;
    expect(changes[0].files).toMatchObject([
      { name: 'a.txt', size: 5 },
      { name: 'b.txt', mime: expect.stringContaining('text/plain') },
    ]);
    const [{ url }] = changes[0].files;
    const open = async (who?: Who, address = url) => {
      const { status, text } = await call('GET', address, who);
      return status === 200 ? text : status;
    };
    expect([await open(rea), await open(bob), await open()]).toEqual(['first', 'first', 404]);
    const view = await call('GET', `/v1/pages/album?proposal=${id}`, bob);
    expect(view.json.page.files.map(({ filename }: { filename: string }) => filename)).toEqual([
      'a.txt',
      'b.txt',
    ]);
    expect(view.json.markup).toContain(url);
    // A file that is named again stays, others go.
    const { fileBytes } = await wiki.app.service.store.maintenance.sizes();
    const changed = await call('PATCH', `/v1/proposals/${id}`, rea, {
      changes: [{ ...edit, files: [file('a.txt')] }, create],
    });
    expect(changed.json.changes[0].files).toMatchObject([{ name: 'a.txt', size: 5 }]);
    expect((await wiki.app.service.store.maintenance.sizes()).fileBytes).toBe(fileBytes - 11);
    expect(await open(bob, changes[1].files[0].url)).toBe(404);
    // Its name does not tell that a change before it is hidden.
    const hidden = await page('/album/hidden', { permissions: 700 });
    const more = { action: 'edit', path: '/album', files: [file('a.txt', 'first')] };
    const named = async (changes: object[]) => {
      const { id } = (await propose(ada, changes)).json;
      const seen = (await call('GET', `/v1/proposals/${id}`, bob)).json;
      return seen.changes[0].files[0].url.replace(`/p${id}-`, '');
    };
    expect(await named([{ action: 'edit', path: hidden.path, body: 'x' }, more])).toBe(await named([more]));
    await call('POST', '/v1/pages/album', ada, { permissions: 700 });
    expect([await open(bob), await open(rea)]).toEqual([404, 'first']);
    await call('POST', '/v1/pages/album', ada, { permissions: 774 });
    const merged = await merge(id, ada);
    expect(merged.status, merged.text).toBe(200);
    expect(await open(rea)).toBe(404);
    const { files } = (await call('GET', '/v1/pages/album', bob)).json.page;
    expect(files).toMatchObject([{ filename: 'a.txt' }]);
    expect(await open(bob, `/files/${files[0].name}`)).toBe('first');
  });

  test('files of proposals go when one is withdrawn, erased or purged, and bad ones are refused', async () => {
    const { store } = wiki.app.service;
    const { id: pageId } = await page('/shelf');
    const data = Buffer.from('only here').toString('base64');
    const edit = (files: object[]) => [{ action: 'edit', path: '/shelf', files }];
    const one = [{ file: { name: 'a.txt', data } }];
    const kept = async () => (await store.proposals.fileBytesOf(bob.id)) > 0;
    const { id } = (await propose(bob, edit(one))).json;
    expect(await kept()).toBe(true);
    const hash = (await store.proposals.filesOf([id]))[0]?.hash ?? '';
    expect(await store.trash.usedHashes([hash])).toEqual(new Set([hash]));
    expect((await call('PATCH', `/v1/proposals/${id}`, bob, { state: 'withdrawn' })).status).toBe(200);
    expect([await kept(), await store.trash.usedHashes([hash])]).toEqual([false, new Set()]);
    for (const bad of [
      edit([{ file: { name: 'a.txt' } }]),
      edit([{ file: { name: 'a.txt', data: '???' } }]),
      edit([...one, ...one]),
      edit(Array.from({ length: 21 }, (_, n) => ({ file: { name: `${n}.txt`, data } }))),
      [{ action: 'move', path: '/shelf', to: '/board', files: one }],
      [{ action: 'delete', path: '/shelf', files: one }],
    ])
      expect((await propose(bob, bad)).status, JSON.stringify(bad).slice(0, 100)).toBe(400);
    const again = (await propose(bob, edit(one))).json.id;
    await call('POST', '/v1/pages/shelf', ada, { body: 'two' });
    const [, first] = (await call('GET', '/v1/history/shelf', ada)).json;
    const erasure = { id: pageId, changes: [first.id], reason: 'A name' };
    expect((await call('POST', '/v1/erase', root, erasure)).status).toBe(200);
    expect([await kept(), (await call('GET', `/v1/proposals/${again}`, bob)).json.changes]).toEqual([
      false,
      [],
    ]);
    await propose(bob, edit(one));
    const { trash } = (await call('DELETE', '/v1/pages/shelf', ada)).json;
    expect(await kept()).toBe(true);
    expect((await call('DELETE', `/v1/trash/${trash.id}`, root)).status).toBe(204);
    expect(await kept()).toBe(false);
    await propose(bob, [{ action: 'create', path: '/draft', title: 'X', files: one }], { state: 'draft' });
    const gone = await wiki.member('Gone');
    await propose(gone, [{ action: 'create', path: '/own', title: 'X', files: one }], { state: 'draft' });
    expect((await call('POST', '/v1/erase', root, { member: gone.id, reason: 'Asked' })).status).toBe(200);
    expect(await store.proposals.fileBytesOf(gone.id)).toBe(0);
  });

  test('an API token proposes files only with the scope for files', async () => {
    const files = [{ file: { name: 'a.txt', data: Buffer.from('words').toString('base64') } }];
    const change = { action: 'create', path: '/by-token', title: 'By token' };
    const writing = await token(bob, false, { scopes: ['read', 'write'] });
    expect((await propose(writing, [{ ...change, files }])).json).toMatchObject({
      status: 403,
      detail: expect.stringContaining('files'),
    });
    const { id } = (await propose(writing, [change])).json;
    const patch = (who: { token: string }) =>
      call('PATCH', `/v1/proposals/${id}`, who, { changes: [{ ...change, files }] });
    expect((await patch(writing)).status).toBe(403);
    expect((await patch(await token(bob, false, { scopes: ['read', 'write', 'files'] }))).status).toBe(200);
  });

  test('proposals that were withdrawn count again when they are opened', async () => {
    const { store } = wiki.app.service;
    const max = await wiki.member('Max');
    const { id } = (await propose(max, [{ action: 'create', path: '/one-more', title: 'X' }])).json;
    const become = (state: string) => call('PATCH', `/v1/proposals/${id}`, max, { state });
    await become('withdrawn');
    const one = { title: 'T', text: '', state: 'draft' as const, invited: [], publishAt: null };
    await store.transact(async ({ proposals }) => {
      for (let n = 0; n < 200; n++) await proposals.insert({ ...one, authorId: max.id }, [], Date.now());
    });
    expect((await become('open')).json.errors).toMatchObject([{ pointer: '/state' }]);
    expect((await become('withdrawn')).status).toBe(200);
    // Only the latest hundred withdrawn ones are kept.
    const listed = async (state: string) => {
      const url = `/v1/proposals?author=me&limit=1&state=${state}`;
      return Number((await call('GET', url, max)).headers['x-total-count']);
    };
    await store.transact(async ({ proposals }) => {
      const withdrawn = { ...one, state: 'withdrawn' as const, authorId: max.id };
      for (let n = 0; n < 105; n++) await proposals.insert(withdrawn, [], n);
    });
    const files = [{ file: { name: 'a.txt', data: Buffer.from('late').toString('base64') } }];
    const changes = [{ action: 'create', path: '/one-more', title: 'X', files }];
    const changed = await call('PATCH', `/v1/proposals/${id}`, max, { changes });
    expect([changed.status, changed.json.state, changed.json.changes[0].files]).toEqual([
      ...[200, 'withdrawn', undefined],
    ]);
    expect([await listed('withdrawn'), await listed('draft')]).toEqual([100, 200]);
    expect((await call('GET', `/v1/proposals/${id}`, max)).status).toBe(200);
  });

  test('comparing texts with pages has a limit, beyond which merging decides', async () => {
    const lines = 'a\n'.repeat(690);
    const changes = [];
    for (const path of ['/long-1', '/long-2', '/long-3', '/long-4']) {
      await page(path, { body: `${lines}z` });
      changes.push({ action: 'edit', path, body: `x\n${lines}z` });
    }
    const { id } = (await propose(bob, changes)).json;
    for (const { path } of changes) await call('POST', `/v1/pages${path}`, ada, { body: `${lines}y` });
    const seen = (await call('GET', `/v1/proposals/${id}`, ada)).json.changes;
    expect(seen.map(({ conflict }: { conflict: boolean }) => conflict)).toEqual([false, false, false, true]);
    expect((await merge(id, ada)).status).toBe(200);
    for (const { path } of changes) {
      const { page } = (await call('GET', `/v1/pages${path}?history=latest`, ada)).json;
      expect(page.history.at(-1).content.body === `x\n${lines}y`, path).toBe(true);
    }
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

  test('comments do not displace approvals', async () => {
    await page('/busy');
    await call('PUT', '/v1/rules/busy', ada, { approvals: 1 });
    const { id } = (await propose(bob, [{ action: 'edit', path: '/busy', body: 'two' }])).json;
    expect((await review(id, mod)).status).toBe(200);
    const { store } = wiki.app.service;
    const words = { memberId: bob.id, verdict: 'comment', text: 'Words', revision: 1, on: null } as const;
    await store.transact(async (store) => {
      const { revision } = (await store.proposals.lock(id)) ?? { revision: 1 };
      for (let n = 0; n < 101; n++) await store.proposals.addReview(id, { ...words, revision }, Date.now());
    });
    expect((await merge(id, bob)).status).toBe(200);
  });

  test('a credential with fewer rights than its member cannot schedule a merge with all of them', async () => {
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
    expect(await publish()).toBe(0);
    expect((await call('GET', '/v1/pages/part/in', bob)).status).toBe(200);
  });
});
