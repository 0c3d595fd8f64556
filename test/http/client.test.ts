/** The client package against a real server: reading, writing, lists, changes, uploads, renewal and errors. */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setPassphrase } from '#core/members/manage-members.ts';
import { Coppice, CoppiceError } from '../../packages/client/src/index.ts';
import { effort } from '../support/effort.ts';
import { engines, startApp, type TestApp } from '../support/http.ts';
import { addApiToken } from '../support/tokens.ts';

const pass = 'a passphrase of our own';

/** The client does not depend on the engine: tested on one, and on both before a release. */
describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  let wiki: TestApp;
  let address: string;
  let token: string;
  let bot: Coppice;

  beforeAll(async () => {
    wiki = await startApp({}, { engine });
    await wiki.app.server.listen({ host: '127.0.0.1', port: 0 });
    address = `http://127.0.0.1:${(wiki.app.server.server.address() as AddressInfo).port}`;
    const { id, email } = await wiki.member('Ada', { isAdmin: true });
    const { store, passphrases } = wiki.app.service;
    await setPassphrase({ store, passphrases, now: Date.now() }, email, pass);
    const actor = { memberId: id, name: 'Ada', isAdmin: true };
    const input = { name: 'bot', scopes: ['read', 'write', 'files'] };
    token = (await addApiToken(store, actor, input, Date.now())).secret;
    bot = new Coppice(address, { credential: { token } });
    await bot.create({ title: 'Garden' });
  });
  afterAll(() => wiki.close());

  test('a page is created, read by old addresses too, and reported if missing', async () => {
    const page = await bot.create({ title: 'A / B? ünï', parent: '/garden', body: 'Red' });
    expect((await bot.read(page.path))?.markup).toContain('Red');
    const moved = await bot.edit(page.path, { path: '/garden/moved' });
    expect(moved.ok && moved.page.path).toBe('/garden/moved');
    expect((await bot.read(page.path))?.page.path).toBe('/garden/moved');
    expect(await new Coppice(address).read('/garden/nowhere')).toBeUndefined();
    expect((await bot.request('GET /v1/members/me')).name).toBe('Ada');
    await expect(bot.create({ title: '' })).rejects.toMatchObject({
      status: 400,
      code: 'invalid',
      errors: [{ pointer: '/title' }],
    });
    await expect(new Coppice(address).create({ title: 'x' })).rejects.toBeInstanceOf(CoppiceError);
  });

  test('a conflict is returned as a value, and merging it saves', async () => {
    const { path, history } = await bot.create({ title: 'Conflict', body: 'one\n' });
    const base = history[0]?.id;
    const first = await bot.edit(path, { body: 'two\n', base });
    expect(first.ok).toBe(true);
    const second = await bot.edit(path, { body: 'three\n', msg: 'Mine', base });
    if (second.ok) throw new Error('Nothing was in the way.');
    expect([second.base?.content.body, second.yours.content.body, second.theirs.content.body]).toEqual([
      'one\n',
      'three\n',
      'two\n',
    ]);
    const merged = await second.merge({ body: 'two\nthree\n' });
    expect(merged).toMatchObject({ ok: true, page: { history: [{ content: { body: 'two\nthree\n' } }] } });
    const [latest] = await bot.request('GET /v1/history/{path}', { path: { path } });
    expect(latest).toMatchObject({ id: merged.ok && merged.version, msg: 'Mine' });
  });

  test('a list is read to its end', async () => {
    for (let i = 0; i < 25; i++)
      await bot.create({ title: `Listed ${i}`, parent: '/garden', type: 'Listed' });
    const titles = [];
    const query = { type: 'Listed', history: 'none', limit: 10 } as const;
    for await (const { title } of bot.list('GET /v1/pages', { query })) titles.push(title);
    expect(new Set(titles).size).toBe(25);
    for await (const { title } of bot.list('GET /v1/children/{path}', { path: { path: '/garden' } })) {
      expect(title).toBeDefined();
      break;
    }
  });

  test('files are uploaded, with progress, to a page and with a new one', async () => {
    const blob = new Blob([Buffer.alloc(300_000, 'x')]);
    const told: [number, number][] = [];
    const page = await bot.upload({ title: 'With a file' }, [{ name: 'a.txt', blob }], {
      onProgress: (sent, total) => told.push([sent, total]),
    });
    expect(page.files.map(({ filename }) => filename)).toEqual(['a.txt']);
    expect(told.length).toBeGreaterThan(1);
    expect(told.at(-1)?.[0]).toBe(told.at(-1)?.[1]);
    const same = await bot.upload(page.path, [new File(['b'], 'b.txt')], { msg: 'Another' });
    expect(same.files.map(({ filename }) => filename).sort()).toEqual(['a.txt', 'b.txt']);
  });

  test('changes arrive as they happen, and continue after a disconnection', async () => {
    const abort = new AbortController();
    const seen: string[] = [];
    let requests = 0;
    // Breaks every stream after its first event.
    const breaking: typeof fetch = async (url, init) => {
      const response = await fetch(url, init);
      if (!String(url).includes('/v1/changes') || !response.body) return response;
      requests++;
      let text = '';
      const cut = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          text += Buffer.from(chunk).toString();
          controller.enqueue(chunk);
          if (text.includes('data: ')) controller.error(new Error('broken'));
        },
      });
      return new Response(response.body.pipeThrough(cut), response);
    };
    const { next } = await bot.request('GET /v1/changes', { query: { after: 'latest' } });
    const follower = new Coppice(address, { credential: { token }, fetch: breaking });
    const following = (async () => {
      for await (const { page } of follower.changes({ after: next, signal: abort.signal })) {
        seen.push(page.path);
        if (seen.length === 3) return;
      }
    })();
    const made = [];
    for (let i = 0; i < 3; i++) made.push((await bot.create({ title: `Told ${i}` })).path);
    await following;
    abort.abort();
    expect(seen).toEqual(made);
    expect(requests).toBeGreaterThan(0);
    const now = [];
    for await (const { page, cursor } of bot.changesUntilNow({ after: next })) now.push([page.path, cursor]);
    expect(now.map(([path]) => path)).toEqual(made);
    const rest = [];
    for await (const event of bot.changesUntilNow({ after: now.at(-1)?.[1] ?? '' })) rest.push(event);
    expect(rest).toEqual([]);
    await expect(bot.changes({ after: 'zz-zz' }).next()).rejects.toMatchObject({ status: 400 });
  });

  test('a write whose response is lost is done once', async () => {
    let isLost = true;
    const losing: typeof fetch = async (url, init) => {
      const response = await fetch(url, init);
      if (init?.method !== 'POST' || !isLost) return response;
      isLost = false;
      throw new TypeError('The connection broke.');
    };
    const unlucky = new Coppice(address, { credential: { token }, fetch: losing });
    const page = await unlucky.create({ title: 'Only once' });
    const found = await bot.request('GET /v1/pages', { query: { title: 'Only once' } });
    expect(found.map(({ id }) => id)).toEqual([page.id]);
    // Writes are not retried if the client has no credential.
    isLost = true;
    await expect(new Coppice(address, { fetch: losing }).create({ title: 'x' })).rejects.toThrow('broke');
  });

  test('rate-limited requests are sent again after the wait, and abandoned after some attempts', async () => {
    let left = 2;
    let asked = 0;
    const busy: typeof fetch = async (url, init) => {
      asked++;
      return left-- > 0
        ? new Response('{}', { status: 503, headers: { 'Retry-After': '0' } })
        : fetch(url, init);
    };
    const patient = new Coppice(address, { credential: { token }, fetch: busy });
    expect((await patient.read('/garden'))?.page.title).toBe('Garden');
    expect(asked).toBe(3);
    left = 100;
    await expect(patient.read('/garden')).rejects.toMatchObject({ status: 503 });
    expect(asked).toBe(7);
  });

  test('a client signs in by itself once, and again when its session has ended', async () => {
    const auth: string[] = [];
    const watched: typeof fetch = (url, init) => {
      if (/\/(re)?auth$/.test(String(url))) auth.push(String(url));
      return fetch(url, init);
    };
    const ada = new Coppice(address, { credential: { email: 'ada@example.org', pass }, fetch: watched });
    await Promise.all([ada.read('/garden'), ada.request('GET /v1/sessions')]);
    expect(auth).toHaveLength(1);
    await ada.request('POST /v1/members/signout');
    expect((await ada.request('GET /v1/members/me')).name).toBe('Ada');
    expect(auth.length).toBeGreaterThan(1);
    const wrong = new Coppice(address, { credential: { email: 'ada@example.org', pass: 'not it at all' } });
    await expect(wrong.read('/garden')).rejects.toMatchObject({ status: 401, code: 'bad-credentials' });
  });

  test('the examples of its README work', async () => {
    await bot.create({ title: 'Roses', parent: '/garden', body: 'Red' });
    const readme = readFileSync(join(import.meta.dirname, '../../packages/client/README.md'), 'utf8');
    const examples = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = '']) => code);
    expect(examples.length).toBeGreaterThan(4);
    const code = examples
      .join('\n')
      .replace(/import (\{[^}]+\}) from '@coppice\/client';/g, 'const $1 = client;')
      .replaceAll('http://localhost:8080', address)
      .replaceAll('process.env.TOKEN', JSON.stringify(token));
    const said: unknown[] = [];
    const run = new Function(
      'client',
      'console',
      `return (async () => { ${code}; return { saved, mirrored, words }; })()`,
    );
    const { saved, mirrored, words } = await run(
      { Coppice, CoppiceError },
      { log: (...parts: unknown[]) => said.push(parts.join(' ')) },
    );
    expect(saved.ok).toBe(true);
    expect(mirrored).toContain('/garden/roses');
    expect(words).toBeDefined();
    expect(said).toContain('100 %');
    expect(said.at(-1)).toMatch(/^401 unauthenticated /);
    expect((await bot.read('/garden/roses'))?.page.files).toHaveLength(1);
  });
});
