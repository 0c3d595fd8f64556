/** An edge cache that keeps responses until Coppice purges them: after every write it shows what the server would answer. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BadSettings, readConfig } from '#config/config.ts';
import { purge } from '#outgoing/purge.ts';
import { startPurgeLoop } from '#run/purge-loop.ts';
import { engines, startApp, type TestApp } from '../support/http.ts';

/** Listens for purges, and passes the keys of each to `forget`. */
async function receiver(answer: (headers: Record<string, unknown>, body: string, url: string) => number) {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      response.statusCode = answer({ ...request.headers, method: request.method }, body, request.url ?? '');
      if (response.statusCode === 429) response.setHeader('retry-after', '7');
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, [Symbol.dispose]: () => void server.close() };
}

describe.each(engines)('on %s', (engine) => {
  const kept = new Map<string, { keys: string[]; text: string }>();
  let purges = 0;
  let isDown = false;
  let edge: Awaited<ReturnType<typeof receiver>>;
  let wiki: TestApp;

  beforeAll(async () => {
    edge = await receiver(({ method, 'surrogate-key': given, 'x-purge': pattern }) => {
      expect([method, String(given).replaceAll(' ', '|')]).toEqual(['PURGE', pattern]);
      if (isDown) return 503;
      const gone = new Set(String(given).split(' '));
      for (const [url, { keys }] of kept) if (keys.some((key) => gone.has(key))) kept.delete(url);
      purges++;
      return 200;
    });
    const clock = () => Date.UTC(2026, 2, 14, 9);
    wiki = await startApp({ COPPICE_PURGE: `varnish:${edge.url}` }, { engine, clock });
    wiki.app.startPurging();
  });
  afterAll(async () => {
    await wiki.close();
    edge[Symbol.dispose]();
  });

  const urls = [
    '/v1/pages/a',
    '/v1/pages/a/b',
    '/a',
    '/a/b',
    '/v1/updates',
    '/v1/pages?text=apple',
    '/v1/children/a',
  ];

  async function fill(): Promise<void> {
    for (const url of urls) {
      if (kept.has(url)) continue;
      const { status, headers, text } = await wiki.call('GET', url);
      if (status !== 200) continue;
      expect(headers['cdn-cache-control'], url).toBe(headers['surrogate-control']);
      if (headers['surrogate-control'])
        kept.set(url, { keys: String(headers['surrogate-key']).split(' '), text });
    }
  }

  const filled = async () => {
    await fill();
    return kept.size;
  };

  /** Addresses of which the edge would show something else than the server. */
  async function stale(): Promise<string[]> {
    const wrong: string[] = [];
    for (const [url, { text }] of kept) if ((await wiki.call('GET', url)).text !== text) wrong.push(url);
    return wrong;
  }

  test('nothing that edits, moves, hiding, likes, settings or deletions made stale stays at the edge', async () => {
    const root = await wiki.member('Root', { isAdmin: true });
    const { token } = root;
    const send = async (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, json?: object) => {
      const { status, text } = await wiki.call(method, url, { token, ...(json ? { json } : {}) });
      expect(status, text).toBeLessThan(300);
    };
    await wiki.page(token, { title: 'A', path: '/a', body: 'An apple. {{Children}} [[Bee]]' });
    await wiki.page(token, { title: 'B', path: '/a/b', parent: '/a', body: 'See [[A]].' });
    const writes: (() => Promise<void>)[] = [
      () => send('POST', '/v1/pages/a', { body: 'An apple and a pear. {{Children}} [[Bee]]' }),
      () => send('POST', '/v1/pages', { title: 'Bee', path: '/bee', body: 'Another apple.' }),
      () => send('POST', '/v1/pages/a', { title: 'Orchard' }),
      () => send('PUT', '/v1/likes/a'),
      () => send('PATCH', '/v1/settings', { announcement: { text: 'Closed on Monday.' } }),
      () => send('POST', '/v1/pages/a', { files: { file: { name: 'map.txt', data: 'TWFw' } } }),
      () => send('POST', '/v1/pages', { title: 'Obst', path: '/obst', language: 'de', translationOf: '/a' }),
      () => send('POST', '/v1/pages/a/b', { path: '/a/c' }),
      () => send('POST', '/v1/pages/bee', { permissions: 700 }),
      () => send('DELETE', '/v1/pages/a/c'),
    ];
    for (const [n, write] of writes.entries()) {
      await expect.poll(filled, { timeout: 10_000 }).toBeGreaterThan(4);
      await write();
      await expect.poll(stale, { timeout: 10_000, message: `write ${n}` }).toEqual([]);
    }
    expect(purges).toBeGreaterThan(writes.length);
  });

  test('a cache that did not answer gets the missed purges later', async () => {
    const { token } = await wiki.member('Ada', { isAdmin: true });
    // Keys are purged a second time; waits until nothing is due.
    await expect.poll(filled, { timeout: 10_000 }).toBeGreaterThan(4);
    isDown = true;
    const json = { body: 'A plum.' };
    expect((await wiki.call('POST', '/v1/pages/a', { token, json })).status).toBe(200);
    await expect
      .poll(() => wiki.logged.join('\n'), { timeout: 10_000 })
      .toContain('the cache could not be purged');
    isDown = false;
    await expect.poll(stale, { timeout: 10_000 }).toEqual([]);
  });
});

test('without a cache that is purged, shared caches keep nothing longer than a second', async () => {
  const wiki = await startApp();
  const { token } = await wiki.member('Root', { isAdmin: true });
  await wiki.page(token, { title: 'A', path: '/a' });
  const { headers } = await wiki.call('GET', '/v1/pages/a');
  expect(headers['cache-control']).toBe('public, max-age=1, stale-while-revalidate=0');
  expect(headers).not.toHaveProperty('surrogate-control');
  expect(headers).not.toHaveProperty('cdn-cache-control');
  await wiki.close();
});

test('Fastly and Cloudflare get their own forms of a purge, so many keys at a time, and refusals fail', async () => {
  const got: unknown[] = [];
  let status = 200;
  using api = await receiver(
    ({ method, authorization, 'fastly-key': key, 'surrogate-key': keys }, body, url) => {
      got.push([method, url, authorization ?? key, keys ?? JSON.parse(body).tags]);
      return status;
    },
  );
  const apis = { fastly: api.url, cloudflare: api.url };
  const keys = Array.from({ length: 35 }, (_, n) => `d${n}`);
  await purge({ kind: 'fastly', id: 'abc', token: 'secret' }, keys, apis);
  await purge({ kind: 'cloudflare', id: 'zone', token: 'secret' }, keys, apis);
  expect(got).toEqual([
    ['POST', '/service/abc/purge', 'secret', keys.join(' ')],
    ['POST', '/zones/zone/purge_cache', 'Bearer secret', keys.slice(0, 30)],
    ['POST', '/zones/zone/purge_cache', 'Bearer secret', keys.slice(30)],
  ]);
  status = 403;
  await expect(purge({ kind: 'fastly', id: 'abc', token: 'wrong' }, ['wiki'], apis)).rejects.toThrow('403');
  status = 429;
  const limited = purge({ kind: 'cloudflare', id: 'zone', token: 'secret' }, keys, apis);
  await expect(limited).rejects.toMatchObject({ left: keys, pauseMs: 7000 });
  for (const wrong of ['squid:http://a', 'varnish:nowhere', 'fastly:', 'fastly:a/b', 'cloudflare:zone'])
    expect(() => readConfig({ COPPICE_DATA: '/tmp', COPPICE_PURGE: wrong }), wrong).toThrow(BadSettings);
});

test('a cache that refuses every second purge gets each key, and the log says once that it refuses', async () => {
  const confirmed = new Set<string>();
  let requests = 0;
  using api = await receiver((_, body) => {
    const isTaken = requests++ % 2 === 0;
    if (isTaken) for (const tag of JSON.parse(body).tags) confirmed.add(tag);
    return isTaken ? 200 : 500;
  });
  const apis = { fastly: api.url, cloudflare: api.url };
  const log: string[] = [];
  let commit = (_: Iterable<number>) => {};
  const loop = startPurgeLoop({
    store: {
      listen(listener) {
        commit = listener;
      },
      revision: async () => '',
    },
    send: (keys) => purge({ kind: 'cloudflare', id: 'zone', token: 'secret' }, keys, apis),
    failed: (error) => log.push(String(error)),
    works: () => log.push('works'),
  });
  await expect.poll(() => [...confirmed]).toEqual(['wiki']);
  commit(Array.from({ length: 35 }, (_, n) => n));
  // All of them, `d-any` and `wiki`.
  await expect.poll(() => confirmed.size, { timeout: 20_000 }).toBe(37);
  await expect
    .poll(() => log.slice(0, 2), { timeout: 20_000 })
    .toEqual(['NotPurged: The cache answered 500 to a purge.', 'works']);
  await loop.stop();
});
