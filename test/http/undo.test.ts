/** Undoing a member's changes since a time: what is reverted, what stays of others' work, and who may do it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyPages } from '#core/maintenance/verify-pages.ts';
import { type Answer, engines, startApp, type TestApp } from '../support/http.ts';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  type Who = { id: number; token: string };
  let root: Who;
  let ada: Who;
  /** A new member for each test. */
  let eve: Who;
  let eveNumber = 0;
  let now = Date.UTC(2026, 0, 1);

  beforeAll(async () => {
    wiki = await startApp({}, { engine, clock: () => (now += 1000) });
    root = await wiki.member('Root', { isAdmin: true });
    ada = await wiki.member('Ada');
  });
  beforeEach(async () => {
    eve = await wiki.member(`Eve ${++eveNumber}`);
  });
  afterAll(async () => {
    const { store } = wiki.app.service;
    expect(await store.maintenance.violations(10)).toEqual([]);
    expect(await Array.fromAsync(verifyPages(store))).toEqual([]);
    await wiki.close();
  });

  const post = (url: string, json: unknown, { token }: Who) => wiki.call('POST', url, { json, token });
  const ok = (answer: Answer) => {
    expect(answer.status, answer.text).toBe(200);
    return answer.json;
  };
  const edit = async (path: string, fields: object, who: Who) =>
    ok(await post(`/v1/pages${path}`, fields, who));
  const page = (title: string, body: string, who = ada, parent?: string) =>
    wiki.page(who.token, { title, body, ...(parent === undefined ? {} : { parent }) });
  const get = async (path: string) => ok(await wiki.call('GET', `/v1/pages${path}`, root));
  const source = async (path: string) => {
    const { title, body } = ok(await wiki.call('GET', `/v1/history${path}`, root))[0].content ?? {};
    return { title, body };
  };
  const moment = () => new Date(now + 1).toISOString();
  const undo = async (since: string, more: object = {}) => {
    const { pages, more: left } = ok(await post(`/v1/members/${eve.id}/undo`, { since, ...more }, root));
    expect(left).toBe(0);
    return Object.fromEntries(
      pages.map((one: { path: string; outcome: string; changes: number }) => [
        one.path,
        `${one.outcome} ${one.changes}`,
      ]),
    );
  };

  test('pages get their earlier text again, other edits stay, and conflicts are left', async () => {
    const plain = await page('Plain', 'One.\n\nTwo.');
    const later = await page('Later', 'One.\n\nTwo.\n\nThree.\n\nFour.\n\nFive.');
    const clash = await page('Clash', 'One.');
    const early = await page('Early', 'One.');
    const mended = await page('Mended', 'One.');
    await edit(early.path, { body: 'One of Eve.' }, eve);
    const since = moment();
    await edit(plain.path, { body: 'Buy!', title: 'Buy' }, eve);
    await edit(plain.path, { body: 'Buy now!' }, eve);
    await edit(later.path, { body: 'Buy!\n\nTwo.\n\nThree.\n\nFour.\n\nFive.' }, eve);
    await edit(later.path, { body: 'Buy!\n\nTwo.\n\nThree of Ada.\n\nFour.\n\nFive.' }, ada);
    await edit(later.path, { body: 'Buy!\n\nTwo.\n\nThree of Ada.\n\nFour.\n\nSell!' }, eve);
    await edit(clash.path, { body: 'Buy!' }, eve);
    await edit(clash.path, { body: 'Buy roses!' }, ada);
    await edit(mended.path, { body: 'Buy!' }, eve);
    await edit(mended.path, { body: 'One.' }, ada);
    const expected = {
      [plain.path]: 'undone 2',
      [later.path]: 'merged 2',
      [clash.path]: 'conflict 1',
      [mended.path]: 'left 1',
    };

    expect(await undo(since, { dryRun: true })).toEqual(expected);
    expect((await source(plain.path)).body).toBe('Buy now!');
    expect(await undo(since, { msg: 'No advertisements' })).toEqual(expected);
    expect(await source(plain.path)).toEqual({ title: 'Plain', body: 'One.\n\nTwo.' });
    expect((await source(later.path)).body).toBe('One.\n\nTwo.\n\nThree of Ada.\n\nFour.\n\nFive.');
    expect((await source(clash.path)).body).toBe('Buy roses!');
    expect((await source(mended.path)).body).toBe('One.');
    expect((await source(early.path)).body).toBe('One of Eve.');
    const [latest] = ok(await wiki.call('GET', `/v1/history${plain.path}`, root));
    expect(latest).toMatchObject({ msg: 'No advertisements', editor: { id: root.id } });

    // A second undo finds nothing to do.
    const again = Object.values(await undo(since)).map((words) => String(words).split(' ')[0]);
    expect(again.sort()).toEqual(['conflict', 'left', 'left', 'left']);
  });

  test('pages that only the member edited are moved to the trash, pages that others edited stay', async () => {
    const since = moment();
    const top = await page('Top', 'Buy!', eve);
    const below = await page('Below', 'Buy!', eve, top.path);
    const shared = await page('Shared', 'Buy!', eve);
    await edit(shared.path, { body: 'A list of roses.' }, ada);
    const host = await page('Host', 'Buy!', eve);
    const guest = await page('Guest', 'Mine.', ada, host.path);
    const expected = {
      [top.path]: 'deleted 1',
      [below.path]: 'deleted 1',
      [shared.path]: 'left 1',
      [host.path]: 'left 1',
    };
    expect(await undo(since, { dryRun: true })).toEqual(expected);
    await get(top.path);
    expect(await undo(since)).toEqual(expected);
    for (const { path } of [top, below])
      expect((await wiki.call('GET', `/v1/pages${path}`, root)).status).toBe(410);
    for (const { path } of [shared, host, guest]) await get(path);
    const audit = ok(await wiki.call('GET', '/v1/audit?kind=changes-undone', root));
    expect(JSON.stringify(audit)).toContain('2 pages');
    expect(await undo(since)).toEqual({ [shared.path]: 'left 1', [host.path]: 'left 1' });
  });

  test('a concurrent edit is kept or reported, never lost', async () => {
    const { path } = await page('Race', 'One.\n\nTwo.\n\nThree.');
    const since = moment();
    await edit(path, { body: 'Buy!\n\nTwo.\n\nThree.' }, eve);
    const base = ok(await wiki.call('GET', `/v1/history${path}`, root))[0].id;
    const [, saved] = await Promise.all([
      undo(since),
      post(`/v1/pages${path}`, { body: 'Buy!\n\nTwo.\n\nThree of Ada.', base }, ada),
    ]);
    expect(saved.status, saved.text).toBe(200);
    expect((await source(path)).body).toBe('One.\n\nTwo.\n\nThree of Ada.');
  });

  test('only moderators may undo, and invalid input changes nothing', async () => {
    const { path } = await page('Kept', 'One.');
    const since = moment();
    await edit(path, { body: 'Two.' }, eve);
    const url = `/v1/members/${eve.id}/undo`;
    const code = (answer: Answer) => [answer.status, String(answer.json.type).split('#problem-').at(-1)];
    expect(code(await post(url, { since }, ada))).toEqual([403, 'moderators-only']);
    expect((await wiki.call('POST', url, { json: { since } })).status).toBe(401);
    expect(code(await post('/v1/members/999999/undo', { since }, root))).toEqual([404, 'not-found']);
    for (const json of [
      {},
      { since: 'yesterday' },
      { since: '2999-01-01T00:00:00Z' },
      { since, msg: 'x'.repeat(1001) },
    ])
      expect(code(await post(url, json, root)), JSON.stringify(json)).toEqual([400, 'invalid']);
    expect((await source(path)).body).toBe('Two.');
  });
});
