/** Drafts of the editor: kept for their member alone, bounded, and removed with what they quote. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayMs } from '#src/core/model/iso-time.ts';
import { engines, startApp, type TestApp } from '../support/http.ts';
import { addApiToken } from '../support/tokens.ts';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  let now = Date.now();
  let root: { id: number; token: string };
  let ada: { id: number; token: string };
  let bob: { id: number; token: string };

  beforeAll(async () => {
    wiki = await startApp({}, { engine, clock: () => now });
    root = await wiki.member('Root', { isAdmin: true });
    [ada, bob] = [await wiki.member('Ada'), await wiki.member('Bob')];
  });
  afterAll(async () => {
    expect(await wiki.app.service.store.maintenance.violations(10)).toEqual([]);
    await wiki.close();
  });

  const draft = (fields: object = {}) => ({
    ...{ key: 'new', pageId: null, title: 'Roses', url: '/new', base: '' },
    fields: [
      { name: 'title', value: 'Roses' },
      { name: 'body', value: 'Half a thought' },
      { name: 'remove-file', value: 'a' },
      { name: 'remove-file', value: 'b' },
    ],
    ...fields,
  });
  const keep = (id: string, json: object, { token } = ada) =>
    wiki.call('PUT', `/v1/drafts/${id}`, { token, json });
  const list = async (query = '', { token } = ada) =>
    (await wiki.call('GET', `/v1/drafts${query}`, { token })).json;
  const read = (id: string, { token } = ada) => wiki.call('GET', `/v1/drafts/${id}`, { token });
  const discard = (id: string, { token } = ada) => wiki.call('DELETE', `/v1/drafts/${id}`, { token });
  const idsOf = async (query = '') => (await list(query)).map(({ id }: { id: string }) => id);

  test('a draft is kept, replaced, read and discarded by its member, and unknown to everybody else', async () => {
    expect((await keep('one', draft())).status).toBe(204);
    now += 1000;
    expect((await keep('one', draft({ title: 'Red roses' }))).status).toBe(204);
    expect((await keep('two', draft({ key: 'page 7 ', pageId: 7, url: '/edit/x' }))).status).toBe(204);
    expect(await idsOf()).toEqual(['one', 'two']);
    expect(await list(`?key=${encodeURIComponent('page 7 ')}`)).toMatchObject([
      { id: 'two', pageId: 7, url: '/edit/x' },
    ]);
    expect((await list())[0].fields).toBeUndefined();
    expect((await read('one')).json).toEqual({
      ...{ id: 'one', updatedAt: new Date(now).toISOString(), ...draft({ title: 'Red roses' }) },
    });
    for (const other of [bob, root]) {
      expect(await list('', other)).toEqual([]);
      expect((await read('one', other)).status).toBe(404);
      expect((await discard('one', other)).status).toBe(204);
    }
    // Another member can have a draft with the same ID.
    await keep('one', draft({ title: 'By Bob' }), bob);
    expect((await read('one')).json.title).toBe('Red roses');
    expect((await wiki.call('GET', '/v1/proposals', { token: ada.token })).json).toEqual([]);
    const own = await wiki.call('GET', '/v1/members/me/export', { token: ada.token });
    expect(own.json.drafts.map(({ title }: { title: string }) => title)).toEqual(['Red roses', 'Roses']);
    expect(own.text).not.toContain('By Bob');
    for (const id of ['one', 'two', 'two', 'never']) expect((await discard(id)).status).toBe(204);
    expect(await list()).toEqual([]);
    expect(await list('', bob)).toHaveLength(1);
  });

  test('strangers, API tokens, bad input and what is too large are refused', async () => {
    expect((await wiki.call('PUT', '/v1/drafts/x', { json: draft() })).status).toBe(401);
    const { store } = wiki.app.service;
    const actor = { memberId: ada.id, name: 'Ada', isAdmin: false };
    const limits = { name: 'Program', scopes: ['read', 'write'] };
    const { secret } = await addApiToken(store, actor, limits, now);
    expect((await keep('x', draft(), { id: 0, token: secret })).status).toBe(403);
    expect((await wiki.call('GET', '/v1/drafts', { token: secret })).status).toBe(403);
    for (const [id, json] of [
      ['a b', draft()],
      ['x'.repeat(65), draft()],
      ['x', draft({ url: '//elsewhere.example' })],
      ['x', draft({ fields: Array.from({ length: 301 }, () => ({ name: 'a', value: '' })) })],
      ['x', draft({ fields: [{ name: 'body', value: 'NUL \0' }] })],
      ['x', draft({ title: 7 })],
    ] as const)
      expect((await keep(encodeURIComponent(id), json)).status, JSON.stringify(json).slice(0, 80)).toBe(400);
    const long = (n: number) => draft({ fields: [{ name: 'body', value: 'x'.repeat(n) }] });
    expect((await keep('x', long(4_000_000))).status).toBe(413);
    expect(await list()).toEqual([]);
    // At most 20 MB and 50 drafts, of which the latest stay.
    for (let n = 0; n < 6; n++) {
      now += 10;
      expect((await keep(`long-${n}`, long(3_900_000))).status).toBe(204);
    }
    expect(await idsOf()).toEqual(['long-5', 'long-4', 'long-3', 'long-2', 'long-1']);
    for (let n = 0; n < 55; n++) {
      now += 10;
      await keep(`short-${n}`, draft());
    }
    expect(await list()).toHaveLength(50);
    expect((await idsOf())[49]).toBe('short-5');
  });

  test('drafts of many editors at once are all kept', async () => {
    const ids = Array.from({ length: 12 }, (_, n) => `at-once-${n}`);
    now += 10;
    const answers = await Promise.all(ids.flatMap((id) => [keep(id, draft()), keep(id, draft())]));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 204));
    expect(await idsOf()).toEqual(expect.arrayContaining(ids));
  });

  test('members who may edit a page learn who else has it open, until a minute of silence', async () => {
    const note = (path: string, json: object = {}, { token }: { token?: string } = ada) =>
      wiki.call('POST', `/v1/editing${path}`, { json, ...(token === undefined ? {} : { token }) });
    const { path } = await wiki.page(ada.token, { title: 'Open', body: 'x' });
    expect((await note(path)).json).toEqual({ others: [] });
    now += 30_000;
    const both = await Promise.all([note(path, {}, bob), note(path, {}, root), note(path, {}, bob)]);
    for (const { json } of both) expect(json.others).toContainEqual({ id: ada.id, name: 'Ada' });
    expect((await note(path, {}, root)).json.others.map(({ name }: { name: string }) => name)).toEqual([
      'Ada',
      'Bob',
    ]);
    // Ada has said nothing for more than a minute, and Root has closed the page.
    now += 31_000;
    expect((await note(path, { closed: true }, root)).json).toEqual({ others: [] });
    expect((await note(path, {}, bob)).json).toEqual({ others: [] });
    expect((await note(path)).json.others).toEqual([{ id: bob.id, name: 'Bob' }]);
    // A member who may only read the page is neither announced nor told, and hidden pages are missing.
    const shown = await wiki.page(ada.token, { title: 'Only read', body: 'x', permissions: 744 });
    const hidden = await wiki.page(ada.token, { title: 'Hidden', body: 'x', permissions: 700 });
    await note(shown.path);
    expect((await note(shown.path, {}, bob)).json.type).toContain('not-permitted');
    expect((await note(hidden.path, {}, bob)).status).toBe(404);
    expect((await note(path, {}, {})).status).toBe(401);
    expect((await note(path, { closed: 'no' })).status).toBe(400);
  });

  test('an erasure of the page, a purge, and 60 days remove drafts', async () => {
    const { path, id, history } = await wiki.page(ada.token, { title: 'Secret', body: 'A secret word' });
    await wiki.call('POST', `/v1/pages${path}`, { token: ada.token, json: { body: 'Nothing' } });
    now += 10;
    await keep('erased', draft({ key: `page ${id} `, pageId: id }));
    const erasure = { path, changes: [history.at(-1).id], reason: 'secret' };
    const erased = await wiki.call('POST', '/v1/erase', { token: root.token, json: erasure });
    expect(erased.status, erased.text).toBe(200);
    expect(await idsOf()).not.toContain('erased');
    await keep('purged', draft({ key: `page ${id} `, pageId: id }));
    const deleted = await wiki.call('DELETE', `/v1/pages${path}`, { token: root.token });
    expect(await idsOf()).toContain('purged');
    await wiki.call('DELETE', `/v1/trash/${deleted.json.trash.id}`, { token: root.token });
    expect(await idsOf()).not.toContain('purged');
    now += 61 * dayMs;
    // Sessions have ended meanwhile, so the rows themselves are counted.
    const { store } = wiki.app.service;
    expect(await store.drafts.purge(now - 60 * dayMs, 10)).toBe(10);
    while ((await store.drafts.purge(now - 60 * dayMs, 200)) > 0);
    expect(await store.drafts.listOf(ada.id, undefined, 100)).toEqual([]);
  });
});
