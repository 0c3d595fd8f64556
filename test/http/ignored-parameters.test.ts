/** Unknown query parameters: named in a header or refused, by every operation, cached responses included. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentOf, startApp, type TestApp } from '../support/http.ts';
import { emptyDatabases } from '../support/postgres.ts';
import { ask, cacheHitsOf, withWiki } from '../support/two-processes.ts';

const name = 'coppice-ignored-parameters';

describe('every operation', () => {
  let wiki: TestApp;
  let token: string;
  beforeAll(async () => {
    wiki = await startApp();
    token = (await wiki.member('Ada', { isAdmin: true })).token;
    await wiki.page(token, { title: 'Garden' });
  });
  afterAll(() => wiki.close());

  const operations = () =>
    Object.entries(documentOf(wiki.app).paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters = [] }]) => ({
        method: method.toUpperCase() as 'GET',
        url: path.replace('{path}', 'garden').replace(/\{\w+\}/g, '1'),
        known: parameters.filter((one) => one.in === 'query' && one.name !== 'strict'),
      })),
    );

  test('lists the parameters that it ignores, and refuses them with strict=1', async () => {
    expect(operations().length).toBeGreaterThan(30);
    for (const { method, url } of operations()) {
      const ignoring = await wiki.call(method, `${url}?colour=1&shape=2`, { token });
      expect([method, url, ignoring.headers[name]]).toEqual([method, url, 'colour, shape']);
      const strict = await wiki.call(method, `${url}?colour=1&shape=2&strict=1`, { token });
      const pointers = strict.json.errors.map(({ pointer }: { pointer: string }) => pointer);
      expect([method, url, strict.status, pointers]).toEqual([method, url, 400, ['?colour', '?shape']]);
      expect(strict.headers[name]).toBeUndefined();
    }
  });

  test('does not report documented parameters', async () => {
    for (const { method, url, known } of operations()) {
      const query = known.map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`);
      for (const strict of ['', 'strict=1']) {
        const { headers, json } = await wiki.call(method, `${url}?${[...query, strict].join('&')}`, {
          token,
        });
        expect([method, url, headers[name]]).toEqual([method, url, undefined]);
        expect(JSON.stringify(json?.errors ?? [])).not.toContain('no such parameter');
      }
    }
  });

  test('a page is not created if a parameter is refused', async () => {
    const { token } = await wiki.member('Bea');
    const json = { title: 'Refused' };
    const refused = await wiki.call('POST', '/v1/pages?parent=/garden&strict=1', { token, json });
    expect(refused.status).toBe(400);
    expect((await wiki.call('GET', '/v1/pages/refused')).status).toBe(404);
    const made = await wiki.call('POST', '/v1/pages?parent=/garden', { token, json });
    expect([made.status, made.headers[name], made.json.path]).toEqual([200, 'parent', '/refused']);
  });

  test('strict accepts only 1', async () => {
    for (const value of ['', '0', 'true', '1&strict=1']) {
      const { status, json } = await wiki.call('GET', `/v1/updates?strict=${value}`);
      expect([value, status, json.errors?.[0]?.pointer]).toEqual([value, 400, '?strict']);
    }
    expect((await wiki.call('GET', '/v1/updates?strict=1')).status).toBe(200);
  });

  test.each([
    ['a%0d%0aSet-Cookie:%20x=1=2', 'a%0D%0ASet-Cookie%3A%20x'],
    ['%E2%82%AC=1', '%E2%82%AC'],
    ['a,b=1&c%20d=2', 'a%2Cb, c%20d'],
    ['x&y=&=z&x=2', 'x, y'],
    ['__proto__=1&constructor=2', '__proto__, constructor'],
  ])('names are escaped for a header: %s', async (query, expected) => {
    const { status, headers } = await wiki.call('GET', `/v1/updates?${query}`);
    expect([status, headers[name], headers['set-cookie']]).toEqual([200, expected, undefined]);
  });

  test('many or long names are shortened', async () => {
    const many = Array.from({ length: 100 }, (_, i) => `n${i}`);
    const { headers } = await wiki.call('GET', `/v1/updates?${many.join('&')}`);
    expect(headers[name]).toBe([...many.slice(0, 20), '%E2%80%A6'].join(', '));
    const long = await wiki.call('GET', `/v1/updates?${'a'.repeat(5000)}`);
    expect(long.headers[name]).toBe(`${'a'.repeat(64)}%E2%80%A6`);
    const wide = await wiki.call(
      'GET',
      `/v1/updates?${many.map((one) => one + '%E2%82%AC'.repeat(80)).join('&')}`,
    );
    expect(String(wide.headers[name]).length).toBeLessThan(1100);
  });

  test('scripts of other origins may read the header; the site ignores unknown parameters', async () => {
    const { headers } = await wiki.call('GET', '/v1/updates', { headers: { origin: 'https://a.example' } });
    expect(String(headers['access-control-expose-headers'])).toContain('Coppice-Ignored-Parameters');
    expect((await wiki.call('GET', '/search?utm_source=x')).headers[name]).toBeUndefined();
  });
});

describe.each(emptyDatabases)('on %s', (_name, fresh) => {
  test('a cached response lists ignored parameters for everybody, and so does 304', async () => {
    await withWiki(fresh, async (app, _other, authorization) => {
      const payload = { title: 'Mill', body: 'One.' };
      await app.server.inject({ method: 'POST', url: '/v1/pages', payload, headers: { authorization } });
      for (const url of ['/v1/pages/mill', '/v1/updates', '/v1/pages?path=/']) {
        const odd = `${url}${url.includes('?') ? '&' : '?'}sort=1`;
        for (const headers of [{}, { authorization }] as Record<string, string>[]) {
          const first = await ask(app, odd, headers);
          const again = await ask(app, odd, headers);
          expect([odd, first.headers[name], again.headers[name]]).toEqual([odd, 'sort', 'sort']);
          const tag = { ...headers, 'if-none-match': String(again.headers.etag) };
          for (const { statusCode, headers } of [await ask(app, odd, tag), await ask(app, odd, tag)])
            expect([odd, statusCode, headers[name]]).toEqual([odd, 304, 'sort']);
        }
        await ask(app, url);
        const before = await cacheHitsOf(app);
        expect((await ask(app, url)).headers[name]).toBeUndefined();
        expect((await ask(app, odd)).headers[name]).toBe('sort');
        expect(await cacheHitsOf(app)).toBe(before + 2);
      }
    });
  });
});
