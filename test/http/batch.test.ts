/** Batches: operations carried out one by one, or all atomically. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '#core/ports/credentials.ts';
import { engines, startApp, type TestApp } from '../support/http.ts';
import { addApiToken } from '../support/tokens.ts';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  let ada: { id: number; token: string };
  let made = 0;
  // Fixed clock: changes before and after a rollback differ only in text.
  const now = Date.UTC(2026, 4, 1);

  beforeAll(async () => {
    wiki = await startApp({}, { engine, clock: () => now });
    ada = await wiki.member('Ada');
  });
  afterAll(() => wiki.close());

  const batch = (json: object, headers: Record<string, string> = {}, token = ada.token) =>
    wiki.call('POST', '/v1/batch', { token, json, headers });
  const create = (title: string, more: object = {}) => ({
    method: 'POST',
    path: '/v1/pages',
    body: { title, ...more },
  });
  const newTitle = () => `Page ${++made}`;
  const pathOf = (title: string) => `/v1/pages/${title.toLowerCase().replace(' ', '-')}`;
  const statusOf = async (title: string) =>
    (await wiki.call('GET', pathOf(title), { token: ada.token })).status;
  const statuses = ({ json }: { json: { results: { status: number }[] } }) =>
    json.results.map(({ status }) => status);

  test('operations are carried out in order, and a refused one does not affect the others', async () => {
    const [first, second] = [newTitle(), newTitle()];
    const answer = await batch({
      operations: [
        create(first, { body: 'One.' }),
        { method: 'GET', path: `${pathOf(first)}?history=none` },
        { method: 'POST', path: pathOf(first), body: { body: 'x' }, headers: { 'If-Match': '"1000000"' } },
        { method: 'PUT', path: pathOf(first).replace('pages', 'likes') },
        { method: 'POST', path: '/v1/pages', body: { title: 7 } },
        create(second),
      ],
    });
    expect([answer.status, statuses(answer)]).toEqual([200, [200, 200, 412, 200, 400, 200]]);
    const [, read, , liked, invalid] = answer.json.results;
    expect(read.body.markup).toContain('One.');
    expect(read.headers.etag).toMatch(/^"/);
    expect(liked.body).toEqual({ likes: [ada.id] });
    expect(invalid.body.errors[0].pointer).toBe('/title');
    expect(answer.json.failed).toBeUndefined();
    expect(await statusOf(second)).toBe(200);
  });

  test('an atomic batch takes effect completely or not at all, and says which operation was refused', async () => {
    const [one, two, three] = [newTitle(), newTitle(), newTitle()];
    const refused = await batch({
      atomic: true,
      operations: [
        create(one),
        create(two),
        { method: 'POST', path: '/v1/pages/nowhere', body: { body: 'x' } },
        create(three),
      ],
    });
    expect([refused.status, statuses(refused), refused.json.failed]).toEqual([200, [424, 424, 404, 424], 2]);
    expect(refused.json.results[0].body.type).toBe('/v1/docs#problem-rolled-back');
    expect(await Promise.all([one, two, three].map(statusOf))).toEqual([404, 404, 404]);

    const kept = await batch({
      atomic: true,
      operations: [
        create(one),
        // Each operation sees the results of those before it.
        create(two, { parent: `/${one.toLowerCase().replace(' ', '-')}` }),
        { method: 'POST', path: pathOf(one), body: { title: `New ${one}` } },
      ],
    });
    expect(statuses(kept)).toEqual([200, 200, 200]);
    expect(kept.json.failed).toBeUndefined();
    const { page } = (await wiki.call('GET', pathOf(one), { token: ada.token })).json;
    expect([page.title, page.history.length]).toEqual([`New ${one}`, 2]);
  });

  test('caches never show a batch that was rolled back, although its IDs are reused', async () => {
    const title = newTitle();
    await wiki.page(ada.token, { title, body: 'Before.' });
    const read = async () => (await wiki.call('GET', pathOf(title), { token: ada.token })).json.markup;
    expect(await read()).toContain('Before.');
    await batch({
      atomic: true,
      operations: [
        { method: 'POST', path: pathOf(title), body: { body: 'Rolled back.' } },
        { method: 'POST', path: '/v1/pages/nowhere', body: { body: 'x' } },
      ],
    });
    expect(await read()).toContain('Before.');
    const edited = await wiki.call('POST', pathOf(title), { token: ada.token, json: { body: 'After.' } });
    expect(edited.json.markup).toContain('After.');
    expect(await read()).toContain('After.');
  });

  test('atomic batches that take the same locks wait for each other instead of ending in deadlocks', async () => {
    const title = newTitle();
    await batch({ operations: [create(title)] });
    const { path } = (await wiki.call('GET', pathOf(title), { token: ada.token })).json.page;
    const operations = [
      { method: 'POST', path: '/v1/comments', body: { page: path, body: 'Hello' } },
      { method: 'PUT', path: `/v1/access${path}`, body: { grants: [] } },
    ];
    const all = await Promise.all(Array.from({ length: 10 }, () => batch({ atomic: true, operations })));
    expect(all.map(statuses)).toEqual(all.map(() => [200, 200]));
  });

  test('with a key, an atomic batch is carried out once', async () => {
    const json = { atomic: true, operations: [create(newTitle()), create(newTitle())] };
    const headers = { 'idempotency-key': 'batch-1' };
    const first = await batch(json, headers);
    const again = await batch(json, headers);
    expect([statuses(first), again.headers['idempotency-replayed'], again.text]).toEqual([
      [200, 200],
      'true',
      first.text,
    ]);
    // Idempotency keys are per operation unless `atomic` is set.
    const keyed = { ...create(newTitle()), headers: { 'Idempotency-Key': 'operation-1' } };
    const twice = await batch({ operations: [keyed, keyed] });
    const replays = twice.json.results.map(
      (one: { headers: Record<string, string> }) => one.headers['idempotency-replayed'],
    );
    expect(replays).toEqual([undefined, 'true']);
  });

  test('each operation needs the scopes of the token, in a batch as well', async () => {
    const { store } = wiki.app.service;
    const actor = { memberId: ada.id, name: 'Ada', isAdmin: false };
    const give = async (scopes: Scope[]) =>
      (await addApiToken(store, actor, { name: 'x', scopes }, now)).secret;
    const operations = [{ method: 'GET', path: '/v1/pages/nowhere' }, create(newTitle())];
    expect(statuses(await batch({ operations }, {}, await give(['read'])))).toEqual([404, 403]);
    expect(statuses(await batch({ operations }, {}, await give(['write'])))).toEqual([403, 200]);
    // Headers of an operation do not change the caller.
    const max = await wiki.member('Max');
    const headers = { Authorization: `Bearer ${max.token}` };
    const me = await batch({ operations: [{ method: 'GET', path: '/v1/members/me', headers }] });
    expect(me.json.results[0].body.name).toBe('Ada');
    const unfit = ['/v1/tokens', '/v1/members/auth', '/v1/batch', '/v1/sessions'];
    const refused = await batch({
      operations: unfit.map((path) => ({
        method: path === '/v1/sessions' ? 'GET' : 'POST',
        path,
        body: path === '/v1/sessions' ? undefined : {},
      })),
    });
    expect(statuses(refused)).toEqual([400, 400, 400, 400]);
    const atomic = await batch({ atomic: true, operations: [{ method: 'GET', path: '/v1/members/me' }] });
    expect([statuses(atomic), atomic.json.failed]).toEqual([[400], 0]);
    expect((await wiki.call('POST', '/v1/batch', { json: { operations } })).status).toBe(401);
  });

  test.each([
    ['no operations', { operations: [] }, '/operations'],
    [
      'too many',
      { operations: Array.from({ length: 101 }, () => ({ method: 'GET', path: '/v1/updates' })) },
      '/operations',
    ],
    [
      'another method',
      {
        operations: [
          { method: 'GET', path: '/v1/updates' },
          { method: 'PATCH', path: '/v1/updates' },
        ],
      },
      '/operations/1/method',
    ],
    ['what is no operation', { operations: ['GET /v1/updates'] }, '/operations'],
    ['a page of the site', { operations: [{ method: 'GET', path: '/account' }] }, '/operations/0/path'],
    [
      'another server',
      { operations: [{ method: 'GET', path: 'http://example.org/v1/x' }] },
      '/operations/0/path',
    ],
    [
      'a key within',
      {
        atomic: true,
        operations: [{ method: 'POST', path: '/v1/pages', headers: { 'idempotency-key': 'x' } }],
      },
      '/operations/0/headers',
    ],
  ])('%s is refused, and nothing is carried out', async (_what, json, pointer) => {
    const { status, json: told } = await batch(json);
    expect([status, told.errors[0].pointer]).toEqual([400, pointer]);
  });

  test('concurrent batches do not affect each other', async () => {
    const batches = Array.from({ length: 4 }, () => ({
      atomic: true,
      operations: Array.from({ length: 5 }, () => create(newTitle())),
    }));
    const answers = await Promise.all(batches.map((json) => batch(json)));
    expect(answers.map(statuses)).toEqual(answers.map(() => [200, 200, 200, 200, 200]));
  });

  test('batches that deadlock are repeated until all succeed, and none is logged as an error', async () => {
    const titles = [newTitle(), newTitle()];
    for (const title of titles) await wiki.page(ada.token, { title, body: 'First.' });
    const paths = titles.map(pathOf);
    const before = wiki.logged.length;
    const rounds = Array.from({ length: 4 }, async (_, i) => {
      const inOrder = i % 2 === 0 ? paths : paths.toReversed();
      const edit = (path: string) => ({ method: 'POST', path, body: { body: `By batch ${i}.` } });
      return statuses(await batch({ atomic: true, operations: inOrder.map(edit) }));
    });
    expect(await Promise.all(rounds)).toEqual(rounds.map(() => [200, 200]));
    expect(wiki.logged.slice(before).filter((line) => /"level":[56]0/.test(line))).toEqual([]);
  });
});
