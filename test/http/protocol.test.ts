/** HTTP itself: caching, preconditions, methods, origins, headers, hostile connections. */

import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reservedSegments } from '#core/model/path.ts';
import { documentOf, type Method, startApp, type TestApp } from '../support/http.ts';

let wiki: TestApp;
let ada: { id: number; token: string };
let port: number;

beforeAll(async () => {
  wiki = await startApp();
  ada = await wiki.member('Ada');
  await wiki.page(ada.token, { title: 'Public', body: 'text' });
  await wiki.page(ada.token, { title: 'Private', permissions: 700 });
  await wiki.app.server.listen({ port: 0, host: '127.0.0.1' });
  port = (wiki.app.server.server.address() as AddressInfo).port;
});
afterAll(() => wiki.close());

const get = (url: string, headers: Record<string, string> = {}) => wiki.call('GET', url, { headers });

describe('caching', () => {
  test('an unchanged page gets 304 without content', async () => {
    const first = await get('/v1/pages/public');
    const etag = String(first.headers.etag);
    expect(etag).toMatch(/^"\d+-[\w-]+"$/);
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get('/v1/pages/public', { 'if-none-match': tag });
      expect([again.status, again.text, again.headers.etag], tag).toEqual([304, '', etag]);
      expect(again.headers['cache-control']).toBe('public, max-age=1, stale-while-revalidate=0');
    }
    expect((await get('/v1/pages/public', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('an unchanged response is not sent again, whether it is cached or computed', async () => {
    const url = '/v1/pages/public?history=none';
    const names: string[][] = [];
    for (const headers of [
      { 'if-none-match': '*' },
      { 'if-none-match': '*' },
      { 'if-none-match': '"other"' },
    ])
      names.push(Object.keys((await get(url, headers)).headers).sort());
    const [anew, again, whole] = names;
    expect(again).toEqual(anew);
    expect(whole).toEqual(expect.arrayContaining(['content-security-policy', 'surrogate-key']));
    expect(anew).toEqual([
      'access-control-allow-origin',
      'access-control-expose-headers',
      'cache-control',
      'connection',
      'date',
      'etag',
      'vary',
      'x-request-id',
    ]);
  });

  test('the ETag changes with everything in the response: edits, likes, the targets of its links', async () => {
    await wiki.page(ada.token, { title: 'Watched', body: '[[Not yet]]' });
    const tags = new Set<unknown>();
    const look = async () => tags.add((await get('/v1/pages/watched')).headers.etag);
    await look();
    await wiki.call('PUT', '/v1/likes/watched', { token: ada.token });
    await look();
    await wiki.page(ada.token, { title: 'Not yet' });
    await look();
    await wiki.call('POST', '/v1/pages/watched', { token: ada.token, json: { msg: 'again' } });
    await look();
    await look();
    expect(tags.size).toBe(4);
  });

  test('public responses may be stored, responses to a token may not', async () => {
    for (const url of ['/v1/pages?title=p', '/v1/pages/public', '/v1/updates', '/v1/near/0/0']) {
      const anyone = await get(url);
      expect(anyone.headers['cache-control'], url).toBe('public, max-age=1, stale-while-revalidate=0');
      expect(anyone.headers.etag, url).toMatch(/^"[^"]+"$/);
      expect(anyone.headers['surrogate-key'], url).toMatch(/^wiki( page-\d+)*$/);
      expect(anyone.headers['cache-tag'], url).toBe(
        String(anyone.headers['surrogate-key']).replaceAll(' ', ','),
      );
      for (const token of [ada.token, 'bad']) {
        const own = await wiki.call('GET', url, { token });
        expect(own.headers['cache-control'], url).toBe('private, no-store');
        expect(own.headers).not.toHaveProperty('surrogate-key');
      }
      const withCookie = await get(url, { cookie: 'theme=dark' });
      expect(withCookie.headers['cache-control'], url).toBe('private, no-store');
      const vary = url.startsWith('/v1/pages/') ? 'Authorization, Cookie, Accept' : 'Authorization, Cookie';
      expect(String(anyone.headers.vary), url).toBe(`${vary}, Accept-Encoding`);
    }
    expect((await get('/v1/pages/private')).headers['cache-control']).toBe('no-store');
  });
});

describe('methods', () => {
  test('HEAD responds like GET, without content', async () => {
    for (const url of [
      '/v1/pages?title=p',
      '/v1/pages/public',
      '/v1/updates',
      '/v1/requested',
      '/v1/checkpath/x',
      '/v1/docs',
      '/v1/openapi.json',
      '/healthz',
    ]) {
      const head = await wiki.call('HEAD', url);
      const whole = await get(url);
      expect([head.status, head.text], url).toEqual([whole.status, '']);
      for (const name of ['content-type', 'etag', 'x-total-count', 'cache-control'])
        expect(head.headers[name], `${url} ${name}`).toBe(whole.headers[name]);
      if (url !== '/metrics')
        expect(head.headers['content-length'], url).toBe(whole.headers['content-length']);
    }
    expect((await wiki.call('HEAD', '/v1/pages/private')).status).toBe(404);
  });

  test('an unsupported method is 405 with the supported ones, without reading the body', async () => {
    for (const [method, url, allow] of [
      ['PUT', '/v1/pages/public', 'DELETE, GET, HEAD, OPTIONS, POST'],
      ['PUT', '/v1/pages', 'GET, HEAD, OPTIONS, POST'],
      ['GET', '/v1/members/auth', 'OPTIONS, POST'],
      ['POST', '/v1/updates', 'GET, HEAD, OPTIONS'],
      ['GET', '/v1/rollback/public', 'OPTIONS, POST'],
      ['POST', '/v1/likes/public', 'DELETE, OPTIONS, PUT'],
    ] as const) {
      const answer = await wiki.call(
        method,
        url,
        method === 'GET' ? {} : { body: '<x', headers: { 'content-type': 'text/xml' } },
      );
      expect([answer.status, answer.headers.allow], `${method} ${url}`).toEqual([405, allow]);
    }
  });

  test('an address that does not exist is 404 for every method', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as Method[]) {
      for (const url of ['/v1/nothing', '/v1/nothing/at/all', '/v1/', '/v1']) {
        const answer = await wiki.call(method, url, ['GET', 'OPTIONS'].includes(method) ? {} : { json: {} });
        expect(answer.status, `${method} ${url}`).toBe(404);
        expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
      }
    }
  });

  test('OPTIONS and 405 list the supported methods of a page’s address, whether the page exists or not', async () => {
    for (const url of ['/public', '/nowhere/at/all', '/']) {
      const options = await wiki.call('OPTIONS', url, { headers: { origin: 'https://other.example' } });
      expect([options.status, options.headers.allow], url).toEqual([204, 'GET, HEAD, OPTIONS']);
      expect(options.headers['access-control-allow-origin'], url).toBeUndefined();
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as Method[]) {
        const answer = await wiki.call(method, url, { json: {} });
        expect([answer.status, answer.headers.allow], `${method} ${url}`).toEqual([
          405,
          'GET, HEAD, OPTIONS',
        ]);
      }
    }
    for (const url of ['/v1', '/v1/nothing', '/history', '/files/a/b']) {
      expect((await wiki.call('OPTIONS', url)).status, url).toBe(404);
      expect((await wiki.call('POST', url, { json: {} })).status, url).toBe(404);
    }
  });

  test('OPTIONS lists the supported methods, with or without an origin, at every address', async () => {
    for (const template of Object.keys(documentOf(wiki.app).paths)) {
      const url = template.replace(/\{\w+\}/g, '1');
      const plain = await wiki.call('OPTIONS', url);
      expect(plain.status, url).toBe(204);
      expect(String(plain.headers.allow), url).toContain('OPTIONS');
      const preflight = await wiki.call('OPTIONS', url, {
        headers: {
          origin: 'https://elsewhere.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization, if-match',
        },
      });
      expect(preflight.headers['access-control-allow-origin']).toBe('*');
      expect(String(preflight.headers['access-control-allow-headers'])).toMatch(/Authorization.*If-Match/);
      expect(String(preflight.headers['access-control-allow-methods'])).toContain('POST');
    }
  });
});

describe('origins and headers', () => {
  test('every origin may read every response, including refusals, and never with credentials', async () => {
    for (const url of [
      '/v1/pages?title=p',
      '/v1/pages/none',
      '/v1/nothing',
      '/v1/near',
      '/v1/pages/%zz',
      '/v1/members/me',
    ]) {
      const { headers } = await get(url, { origin: 'https://elsewhere.example' });
      expect(headers['access-control-allow-origin'], url).toBe('*');
      expect(headers['access-control-allow-credentials'], url).toBeUndefined();
    }
    const exposed = String((await get('/v1/pages?title=p')).headers['access-control-expose-headers']);
    for (const name of [
      'Authorization',
      'ETag',
      'Link',
      'X-Total-Count',
      'Retry-After',
      'WWW-Authenticate',
      'Location',
    ])
      expect(exposed).toContain(name);
  });

  test('every response has headers against sniffing, framing and scripts', async () => {
    for (const url of [
      '/v1/pages',
      '/v1/pages/none',
      '/v1/docs',
      '/v1/pages/%zz',
      '/files/none',
      '/healthz',
      '/metrics',
    ]) {
      const { headers } = await get(url);
      expect(headers['x-content-type-options'], url).toBe('nosniff');
      expect(String(headers['content-security-policy']), url).toMatch(/default-src 'none'/);
      expect(String(headers['content-security-policy']), url).not.toContain('unsafe');
      expect(headers['x-powered-by'], url).toBeUndefined();
    }
  });

  test('a harmless request ID is returned, and any other is replaced', async () => {
    expect((await get('/v1/pages', { 'x-request-id': 'trace-1.2_3' })).headers['x-request-id']).toBe(
      'trace-1.2_3',
    );
    for (const id of ['', 'a b', '<script>', 'x'.repeat(65)]) {
      expect((await get('/v1/pages', { 'x-request-id': id })).headers['x-request-id']).toMatch(
        /^[0-9a-f-]{36}$/,
      );
    }
    expect((await get('/v1/pages/%zz')).headers['x-request-id']).toMatch(/./);
  });

  test('only X-Forwarded-For of trusted proxies counts', async () => {
    await get('/healthz', { 'x-forwarded-for': '203.0.113.9' });
    expect(wiki.logged.join('')).not.toContain('203.0.113.9');
    const behind = await startApp({
      COPPICE_TRUST_PROXY: 'loopback',
      COPPICE_URL: 'https://wiki.example.org',
    });
    await behind.call('GET', '/healthz', { headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect(behind.logged.join('')).toContain('203.0.113.9');
    await behind.close();
    const one = await startApp({ COPPICE_TRUST_PROXY: '1', COPPICE_URL: 'https://wiki.example.org' });
    await one.call('GET', '/healthz', { headers: { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' } });
    expect(one.logged.join('')).toContain('203.0.113.9');
    expect(one.logged.join('')).not.toContain('198.51.100.1');
    await one.close();
  });

  test('addresses of files begin with the public address', async () => {
    const public_ = await startApp({ COPPICE_URL: 'https://wiki.example.org/' });
    const { token } = await public_.member('Ada');
    const page = await public_.page(token, { title: 'F', files: { file: { name: 'a', data: 'aGk=' } } });
    expect(page.files[0].urls.full).toMatch(/^https:\/\/wiki\.example\.org\/files\//);
    expect((await public_.call('GET', '/healthz')).headers['strict-transport-security']).toMatch(/max-age/);
    await public_.close();
  });
});

describe('operation', () => {
  test('health, readiness and metrics respond', async () => {
    expect((await get('/healthz')).json).toEqual({ status: 'ok' });
    expect((await get('/readyz')).json).toEqual({ status: 'ok', reads: 'ok', writes: 'ok' });
    const metrics = await get('/metrics');
    expect(metrics.headers['content-type']).toMatch(/^text\/plain/);
    expect(metrics.text).toContain(
      'coppice_http_request_duration_seconds_count{method="GET",route="/v1/pages/*"',
    );
    for (const kind of ['pages', 'member previews', 'stranger previews'])
      expect(metrics.text).toContain(`\ncoppice_renderings_waiting{kind="${kind}"} 0\n`);
    expect(metrics.text).not.toMatch(/public|private/);
  });

  test('metrics are only for programs on the machine, unless a setting allows others', async () => {
    const proxied = { 'x-forwarded-for': '198.51.100.7' };
    const asked = async (wiki: TestApp, remoteAddress: string, headers: Record<string, string> = {}) =>
      (await wiki.app.server.inject({ url: '/metrics', remoteAddress, headers })).statusCode;
    for (const local of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) {
      expect(await asked(wiki, local), local).toBe(200);
      expect(await asked(wiki, local, proxied), local).toBe(404);
    }
    for (const remote of ['192.0.2.1', '10.0.0.1', '::ffff:192.0.2.1', '2001:db8::127.0.0.1', '::'])
      expect(await asked(wiki, remote), remote).toBe(404);

    const open = await startApp({ COPPICE_METRICS: 'open' });
    expect(await asked(open, '192.0.2.1', proxied)).toBe(200);
    await open.close();
    const off = await startApp({ COPPICE_METRICS: 'off' });
    expect(await asked(off, '127.0.0.1')).toBe(404);
    await off.close();
    const guarded = await startApp({ COPPICE_METRICS: 'token:a-secret-of-some-length' });
    const bearing = (token: string) => asked(guarded, '192.0.2.1', { authorization: `Bearer ${token}` });
    expect(await bearing('a-secret-of-some-length')).toBe(200);
    expect(await bearing('a-secret-of-some-lengtH')).toBe(401);
    expect(await asked(guarded, '127.0.0.1')).toBe(401);
    await guarded.close();
  });

  test('readiness is 503 with Retry-After while the database is unavailable', async () => {
    const broken = await startApp();
    const { service } = broken.app;
    const ping = () => Promise.reject(new Error('gone'));
    Object.assign(service, { store: { ...service.store, ping } });
    const answer = await broken.call('GET', '/readyz');
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
    expect((await broken.call('GET', '/healthz')).status).toBe(200);
    await broken.close();
  });

  test('an internal error is 500 with the request ID and no internal details, and is logged completely', async () => {
    const broken = await startApp();
    const { service } = broken.app;
    const { store } = service;
    const readAs: typeof store.readAs = (actor) => {
      const reader = store.readAs(actor);
      reader.lists.updates = () => Promise.reject(new Error('secret detail of mallory@example.org'));
      return reader;
    };
    Object.assign(service, { store: { ...store, readAs } });
    const answer = await broken.call('GET', '/v1/updates', {
      headers: { 'x-request-id': 'bug-1' },
      mayFail: true,
    });
    expect(answer.status).toBe(500);
    expect(answer.json).toMatchObject({ status: 500, requestId: 'bug-1' });
    expect(answer.text).not.toContain('secret');
    expect(broken.logged.join('')).toMatch(/secret detail.*bug-1|bug-1.*secret detail/s);
    await broken.close();
  });

  test('logs hold no token, passphrase, address of a member or query', async () => {
    await wiki.call('POST', '/v1/members/auth', {
      json: { email: 'someone@example.org', pass: 'my secret passphrase' },
    });
    await wiki.call('GET', '/v1/pages?title=what-i-look-for', { token: ada.token });
    const log = wiki.logged.join('');
    for (const secret of ['someone@', 'my secret', ada.token, 'what-i-look-for', 'Bearer'])
      expect(log).not.toContain(secret);
    expect(log).toContain('"route":"/v1/pages"');
  });

  test('every first segment that is served is reserved', () => {
    for (const segment of wiki.app.routes.firstSegments())
      expect(reservedSegments, segment).toContain(segment);
  });
});

describe('on the wire', () => {
  const raw = (request: string | Buffer) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(request));
      let answer = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
      socket.on('close', () => resolve(answer)).on('error', reject);
      socket.setTimeout(5000, () => socket.destroy());
    });
  const line = (path: string, more = '') =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}\r\n`;

  test('headers and URLs beyond 16 kB are refused with 431', async () => {
    expect(await raw(line('/v1/pages', `X-Big: ${'x'.repeat(20_000)}\r\n`))).toMatch(
      /^HTTP\/1\.1 431 [\s\S]*application\/problem\+json/,
    );
    expect(await raw(line(`/v1/pages/${'x'.repeat(20_000)}`))).toMatch(/^HTTP\/1\.1 431 /);
    expect(await raw(line(`/v1/pages/${'x'.repeat(10_000)}`))).toMatch(/^HTTP\/1\.1 404 /);
  });

  test('a message that is not HTTP is refused with 400', async () => {
    for (const nonsense of [
      'nonsense\r\n\r\n',
      Buffer.from([0, 1, 2, 3, 13, 10, 13, 10]),
      'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    ]) {
      expect(await raw(nonsense)).toMatch(/^HTTP\/1\.1 400 [\s\S]*application\/problem\+json/);
    }
  });

  test('chunked bodies are read like others, and a broken connection leaves nothing behind and is not logged as an error', async () => {
    const begin = (path: string, headers: string) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.token}\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`;
    const chunked = 'Connection: close\r\nTransfer-Encoding: chunked';
    const json = `{"body":"''bold''"}`;
    const chunks = [...json].map((character) => `1\r\n${character}\r\n`).join('');
    expect(await raw(`${begin('/v1/preview', chunked)}${chunks}0\r\n\r\n`)).toContain('<i>bold</i>');
    const announced = begin('/v1/preview', 'Content-Length: 2000001');
    expect(await raw(announced)).toMatch(/^HTTP\/1\.1 413 [\s\S]*at most 2 MB/);

    // The server reads the rest of a refused body; otherwise the client would not see the response.
    const nested = begin('/v1/pages', 'Content-Length: 30000000') + '['.repeat(30_000_000);
    expect(await raw(nested)).toMatch(/^HTTP\/1\.1 400 [\s\S]*nested more than 100 levels/);

    const underWay = async () => (await readdir(`${wiki.folder}/files/tmp`)).length;
    const half = `{"title":"Half","files":{"file":{"name":"a","data":"${'Y'.repeat(200_000)}`;
    const sockets = ['300000', '3000'].map((length) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(begin('/v1/pages', `Content-Length: ${length}`));
      socket.write(half.slice(0, Number(length) - 1));
      return socket;
    });
    await expect.poll(underWay).toBe(1);
    for (const socket of sockets) socket.destroy();
    await expect.poll(underWay).toBe(0);
    expect(wiki.logged.join('')).not.toContain('unhandled error');
  });

  test('a URL with unencoded UTF-8 is refused with 400', async () => {
    expect(await raw(Buffer.from(line('/v1/pages/café'), 'utf8'))).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('a target with scheme and host is answered like one without', async () => {
    for (const path of [
      '/v1/checkpath/no/page',
      '/v1/pages/no/page',
      '/v1/updates?x=http://y/z',
      '/login',
      '?x',
    ]) {
      const without = await raw(line(path.startsWith('/') ? path : `/${path}`));
      const withHost = await raw(line(`http://x${path}`));
      const told = (answer: string) =>
        answer
          .replace(/^(date|x-request-id): .*\r\n/gim, '')
          .split('\r\n')
          .sort();
      expect(told(withHost), path).toEqual(told(without));
    }
    expect(await raw(line('HTTP://other.example/sitemap.xml'))).toContain('http://other.example/');
  });

  test('dots cannot leave the folder: they are path segments, and refused as such', async () => {
    for (const path of [
      '/v1/pages/../../etc/passwd',
      '/v1/pages/%2e%2e/x',
      '/files/../key',
      '/files/..%2fkey',
    ]) {
      expect(await raw(line(path)), path).toMatch(/^HTTP\/1\.1 404 /);
    }
    expect(await raw(line('/v1/checkpath/a/../b'))).toMatch(/"ok":false/);
  });

  test('malformed percent-encoding is 400, in the path and in the query', async () => {
    for (const path of [
      '/v1/pages/%',
      '/v1/pages/%zz',
      '/v1/pages/%ff',
      '/v1/pages?title=%zz',
      '/v1/pages?title=%ff',
      '/v1/near/%/1',
    ]) {
      expect(await raw(line(path)), path).toMatch(/^HTTP\/1\.1 400 /);
    }
  });

  test('a body whose declared size is too large is refused before it is sent', async () => {
    const request = `POST /v1/members/auth HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9999999\r\n\r\n{`;
    expect(await raw(request)).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('the rest of a body that is a little too large is read, so that the response arrives and the connection lasts', async () => {
    const size = 250_000;
    const request = `POST /v1/members/auth HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n\r\n`;
    const socket = connect(port, '127.0.0.1', () => socket.write(request + ' '.repeat(size / 2)));
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
    await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*at most 65 kB/);
    const ended = once(socket, 'close');
    socket.write(' '.repeat(size / 2) + line('/v1/pages'));
    await ended;
    expect(answer).toMatch(/HTTP\/1\.1 413 [\s\S]*HTTP\/1\.1 200 /);
  });
});
