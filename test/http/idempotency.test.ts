/** `Idempotency-Key`: a repeated request is carried out once, whichever process receives it and whenever one dies. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoreConfig } from '#store/store.ts';
import { type Answer, type CallOptions, startApp, type TestApp } from '../support/http.ts';
import { emptyDatabases, type FreshDatabase } from '../support/postgres.ts';
import { meddle } from '../support/rows.ts';
import { claimsFor, tokenFor } from '../support/sessions.ts';
import { addApiToken } from '../support/tokens.ts';

const day = 24 * 60 * 60 * 1000;

describe.each(emptyDatabases)('on %s', (_name, openDatabase) => {
  let database: FreshDatabase;
  let config: StoreConfig;
  let wiki: TestApp;
  /** Another process on the same database. */
  let other: TestApp;
  let ada: string;
  let now = Date.UTC(2026, 4, 1);
  let made = 0;

  beforeAll(async () => {
    database = await openDatabase();
    const url: Record<string, string> =
      database.config.kind === 'postgres' ? { DATABASE_URL: database.config.url } : {};
    wiki = await startApp(url, { clock: () => now });
    other = await startApp({ COPPICE_DATA: wiki.folder, ...url }, { clock: () => now });
    config =
      database.config.kind === 'postgres'
        ? database.config
        : { kind: 'sqlite', file: `${wiki.folder}/coppice.db` };
    ada = (await wiki.member('Ada', { isAdmin: true })).token;
  });
  afterAll(async () => {
    await other.close();
    await wiki.close();
    await database[Symbol.asyncDispose]();
  });

  const newKey = () => `key-${++made}`;
  const post = (
    key: string,
    json: object,
    { on = wiki, token = ada, ...more }: CallOptions & { on?: TestApp } = {},
  ) => on.call('POST', '/v1/pages', { ...more, token, json, headers: { 'idempotency-key': key } });
  const isReplay = ({ headers }: Answer) => headers['idempotency-replayed'] === 'true';
  const titled = async (title: string) =>
    (await wiki.call('GET', `/v1/pages?title=${encodeURIComponent(title)}&limit=100`, { token: ada })).json;
  const rowOf = (key: string, set: string) =>
    meddle(config, `update idempotency_keys set ${set} where key like '% ${key}'`);

  test('the first response is returned again, by every process, and nothing is done twice', async () => {
    const key = newKey();
    const json = { title: 'Once', body: 'word '.repeat(2000) };
    const first = await post(key, json);
    expect([first.status, isReplay(first)]).toEqual([200, false]);
    for (const on of [wiki, other]) {
      const again = await post(key, json, { on });
      expect([again.status, isReplay(again), again.text]).toEqual([200, true, first.text]);
      expect(again.headers['content-type']).toBe(first.headers['content-type']);
    }
    expect(await titled('Once')).toHaveLength(1);
    // Quoted key, as in the draft.
    expect(isReplay(await post(`"${key}"`, json))).toBe(true);
  });

  test('a key belongs to its credential: another credential of the member is answered by its own rights', async () => {
    const { store, tokens } = wiki.app.service;
    const member = await store.members.findByEmail('ada@example.org');
    if (!member) throw new Error('There is no Ada.');
    const apiToken = async (scopes: string[], ancestor?: string) => {
      const actor = { memberId: member.id, name: 'Ada', isAdmin: true };
      const input = { name: 'x', scopes, ancestor };
      return (await addApiToken(store, actor, input, now)).secret;
    };
    await post(newKey(), { title: 'Shed' });
    const key = newKey();
    const json = { title: 'Private plan', permissions: 700, body: 'hidden words' };
    const wide = await apiToken(['read', 'write', 'admin']);
    const first = await post(key, json, { token: wide });
    expect([first.status, isReplay(await post(key, json, { token: wide }))]).toEqual([200, true]);
    const narrow = await apiToken(['write'], '/shed');
    const refused = await post(key, json, { token: narrow });
    expect([refused.status, isReplay(refused), refused.text.includes('hidden words')]).toEqual([
      403,
      false,
      false,
    ]);
    // Another session, and another API token with the same rights, do what they are told.
    const session = await tokenFor({ store, tokens }, member.id, { now });
    for (const token of [session, await apiToken(['read', 'write', 'admin'])]) {
      const own = await post(key, { ...json, title: 'Plan of my own', slug: `own-${++made}` }, { token });
      expect([own.status, isReplay(own)]).toEqual([200, false]);
    }
    const rpc = (name: string) => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: { page: '/private-plan' } },
    });
    const ask = (token: string) =>
      wiki.call('POST', '/mcp', {
        token,
        json: rpc('read_page'),
        headers: { 'idempotency-key': `mcp-${key}` },
      });
    expect((await ask(wide)).text).toContain('hidden words');
    expect((await ask(await apiToken(['read'], '/shed'))).text).not.toContain('hidden words');
  });

  test('a different request with the same key is refused; another member has their own keys', async () => {
    const key = newKey();
    await post(key, { title: 'Mine' });
    const wrong = await post(key, { title: 'Not mine' });
    expect([wrong.status, wrong.json.type]).toEqual([422, '/v1/docs#problem-idempotency-mismatch']);
    expect(await titled('Not mine')).toEqual([]);
    const url = await wiki.call('POST', '/v1/pages/mine', {
      token: ada,
      json: { title: 'Mine' },
      headers: { 'idempotency-key': key },
    });
    expect(url.status).toBe(422);
    const { token } = await wiki.member('Max');
    const theirs = await post(key, { title: 'Theirs' }, { token });
    expect([theirs.status, isReplay(theirs)]).toEqual([200, false]);
    for (const bad of ['', 'with space', 'x'.repeat(256)])
      expect((await post(bad, { title: 'x' })).status).toBe(400);
  });

  test('refusals and empty responses are returned again', async () => {
    const key = newKey();
    const refused = await post(key, { title: 'Search', path: '/search' });
    const again = await post(key, { title: 'Search', path: '/search' });
    expect([refused.status, again.status, isReplay(again), again.text]).toEqual([
      400,
      400,
      true,
      refused.text,
    ]);
    await wiki.page(ada, { title: 'Liked' });
    const options = { token: ada, headers: { 'idempotency-key': newKey() } };
    await wiki.call('DELETE', '/v1/likes/liked', options);
    await wiki.call('PUT', '/v1/likes/liked', { token: ada });
    const unlike = await wiki.call('DELETE', '/v1/likes/liked', options);
    expect([unlike.status, isReplay(unlike), unlike.json]).toEqual([200, true, { likes: [] }]);
  });

  test('one of many concurrent requests on two processes is carried out; the others wait or get its response', async () => {
    const key = newKey();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => post(key, { title: 'Crowd' }, { on: i % 2 ? wiki : other })),
    );
    expect(answers.filter((answer) => answer.status === 200 && !isReplay(answer))).toHaveLength(1);
    for (const { status, headers } of answers) {
      expect([200, 409]).toContain(status);
      if (status === 409) expect(headers['retry-after']).toBe('1');
    }
    expect(await titled('Crowd')).toHaveLength(1);
    expect(isReplay(await post(key, { title: 'Crowd' }))).toBe(true);
  });

  test('a process that dies before its commit is followed by another attempt; after its commit it is not', async () => {
    const key = newKey();
    await post(key, { title: 'Before' });
    await rowOf(key, `state = 'begun', lease_until = ${now + 60_000}`);
    const early = await post(key, { title: 'Before' });
    expect([early.status, early.json.type]).toEqual([409, '/v1/docs#problem-idempotency-in-progress']);
    now += 60_000;
    // The request is carried out, and fails as the first attempt did create the page.
    const late = await post(key, { title: 'Before' });
    expect([late.status, late.json.type, isReplay(late)]).toEqual([
      400,
      '/v1/docs#problem-path-taken',
      false,
    ]);

    const done = newKey();
    await post(done, { title: 'After' });
    await rowOf(done, `state = 'done', lease_until = 0`);
    const lost = await post(done, { title: 'After' });
    expect([lost.status, lost.json.type]).toEqual([409, '/v1/docs#problem-idempotency-answer-lost']);
    expect(await titled('After')).toHaveLength(1);
  });

  test('an attempt that another one has taken over from commits nothing', async () => {
    const { operations } = wiki.app.service;
    const { idempotency } = operations.store;
    const claim = {
      memberId: 1,
      key: newKey(),
      fingerprint: 'f',
      at: now,
      leaseUntil: now + 1,
      forgetBefore: 0,
    };
    const first = await idempotency.claim({ ...claim, attempt: 'first' });
    if (first.state !== 'mine') throw new Error('The key is new.');
    expect(await idempotency.claim({ ...claim, attempt: 'second' })).toMatchObject({ state: 'under way' });
    const taken = await idempotency.claim({ ...claim, attempt: 'second', at: now + 1, leaseUntil: now + 2 });
    expect(taken).toEqual({ state: 'mine', id: first.id });
    const stale = operations.alongside(
      async (store) => {
        if (!(await store.idempotency.markDone(first.id, 'first'))) throw new Error('taken over');
      },
      async () =>
        await wiki.app.server.inject({
          method: 'POST',
          url: '/v1/pages',
          headers: { authorization: `Bearer ${ada}` },
          payload: { title: 'Stale' },
        }),
    );
    expect((await stale).statusCode).toBe(500);
    expect(await titled('Stale')).toEqual([]);
    // A late write that the handler did not await keeps the saved response.
    await idempotency.saveAnswer(first.id, 'second', { status: 200, headers: {}, body: 'tdone' });
    expect(await idempotency.markDone(first.id, 'second')).toBe(true);
    const answered = await idempotency.claim({ ...claim, attempt: 'third', at: now + 9 });
    expect(answered).toMatchObject({ state: 'answered', answer: { body: 'tdone' } });
  });

  test('a response with a secret is returned again, but not stored in clear text', async () => {
    const { store, tokens } = wiki.app.service;
    const token = await tokens.issue({ ...(await claimsFor(store, 1, { now })), signedInAt: now });
    const options = {
      token,
      json: { name: 'x', scopes: ['read'] },
      headers: { 'idempotency-key': newKey() },
    };
    const first = await wiki.call('POST', '/v1/tokens', options);
    const again = await wiki.call('POST', '/v1/tokens', options);
    expect([first.status, isReplay(again), again.text]).toEqual([200, true, first.text]);
    const claimed = await store.idempotency.claim({
      memberId: 1,
      key: `key-${made}`,
      fingerprint: '',
      attempt: '',
      at: now,
      leaseUntil: now,
      forgetBefore: 0,
    });
    expect(JSON.stringify(claimed)).toContain('"s');
    expect(JSON.stringify(claimed)).not.toContain(first.json.token);
  });

  test('a day later the key is forgotten', async () => {
    const key = newKey();
    await post(key, { title: 'Daily', path: '/daily' });
    now += day + 1;
    const { token } = await wiki.member('Later', { isAdmin: true });
    await rowOf(key, 'member_id = (select max(id) from members)');
    const again = await post(key, { title: 'Daily', path: '/daily' }, { token });
    expect([again.status, isReplay(again), again.json.type]).toEqual([
      400,
      false,
      '/v1/docs#problem-path-taken',
    ]);
  });
});
