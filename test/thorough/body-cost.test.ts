/**
 * Bodies with many names, sent to every route that reads a body, of API and site. Twice as many names cost at most 2.5 times as
 * much, and more than a route accepts are refused early.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { maxParameters } from '#http/parameters.ts';
import { maxPageValues } from '#http/request-body/page.ts';
import { effort } from '../support/effort.ts';
import { multipartOf } from '../support/http.ts';
import { startSite, type TestSite } from '../support/web.ts';

let wiki: TestSite;
beforeAll(async () => {
  wiki = await startSite();
  const { token } = await wiki.member('Ada', { isAdmin: true });
  await wiki.page(token, { title: 'Garden' });
});
afterAll(() => wiki.close());

type Kind = 'form' | 'json' | 'multipart';
type Send = (names: number, kind: Kind) => Promise<{ status: number; ms: number }>;

const writes = /^(POST|PUT|PATCH|DELETE)$/;

function routesWithBody(): { method: 'POST'; url: string }[] {
  return wiki.app.routes.routes.flatMap(({ method, url }) =>
    [method]
      .flat()
      .flatMap((one) => (writes.test(one) && !isUnread(url) ? [{ method: one as 'POST', url }] : [])),
  );
}

/** Names are never parsed here: imports are raw files of any type, and the unsubscribe key is in the address. */
function isUnread(url: string): boolean {
  return /^\/(?:v1\/imports|account\/unsubscribe)\b/.test(url);
}

/** Sends requests as a newly signed-in administrator, as some routes end the session. */
async function sender({ method, url }: { method: 'POST'; url: string }): Promise<Send> {
  const member = await wiki.signedIn(`Member ${Math.random().toString(36).slice(2)}`, { isAdmin: true });
  const who = url.startsWith('/v1/')
    ? { authorization: `Bearer ${member.token}` }
    : { cookie: `coppice=${member.token}`, origin: 'http://wiki.test', 'sec-fetch-site': 'same-origin' };
  return async (names, kind) => {
    const { headers, body: payload } = bodyOf(names, kind);
    const request = {
      method,
      url: url.replace(/:\w+(?:\([^)]*\))?/g, '1').replace('*', 'garden'),
      headers: { host: 'wiki.test', ...who, ...headers },
      payload,
    };
    const before = process.threadCpuUsage();
    const { statusCode } = await wiki.app.server.inject(request);
    const { user, system } = process.threadCpuUsage(before);
    return { status: statusCode, ms: (user + system) / 1000 };
  };
}

type Body = { body: string | Buffer; headers: Record<string, string> };
const bodies = new Map<string, Body>();

function bodyOf(names: number, kind: Kind): Body {
  const known = bodies.get(`${names} ${kind}`) ?? madeOf(names, kind);
  bodies.set(`${names} ${kind}`, known);
  return known;
}

function madeOf(names: number, kind: Kind): Body {
  const list = Array.from({ length: names }, (_, i) => `n${i}`);
  if (kind === 'multipart') return multipartOf(list.map((name) => ({ name, value: 'x' })));
  if (kind === 'json') {
    const body = `{${list.map((name) => `"${name}":1`).join()}}`;
    return { body, headers: { 'content-type': 'application/json' } };
  }
  const body = list.map((name) => `${name}=1`).join('&');
  return { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } };
}

/** Some systems count CPU time in ticks of 4 ms. */
const coarseMs = 8;

/**
 * Minimum of several measurements, as other work of the process only adds time. Repeats while the ratio is too high;
 * superlinear cost stays too high.
 */
async function costs(send: Send, kind: Kind, names: number): Promise<{ most: number; twice: number }> {
  const several = async (count: number) => {
    let ms = 0;
    for (let i = 0; i < 2; i++) ms += (await send(count, kind)).ms;
    return ms;
  };
  let [once, twice, most] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
  for (let i = 0; i < 8 && !(twice <= most); i++) {
    once = Math.min(once, await several(names));
    twice = Math.min(twice, await several(2 * names));
    most = 2.5 * once + coarseMs;
  }
  return { most, twice };
}

type Route = { method: string; url: string };
const takesPages = ({ method, url }: Route) => method === 'POST' && /^\/v1\/pages(\/\*)?$/.test(url);

function mostNames(route: Route, kind: Kind): number {
  if (kind === 'multipart') return takesPages(route) ? 100 : 300;
  const isLong = takesPages(route) || route.url === '/v1/batch';
  return kind === 'json' && isLong ? maxPageValues : maxParameters;
}

test('every route with a body refuses forms, JSON and multipart with too many names', async () => {
  const seen: Record<Kind, number> = { form: 0, json: 0, multipart: 0 };
  for (const route of routesWithBody()) {
    const where = `${route.method} ${route.url}`;
    const send = await sender(route);
    const statuses = new Set<number>();
    for (const kind of ['form', 'json', 'multipart'] as const) {
      const most = mostNames(route, kind);
      const { status } = await send(most + 1, kind);
      expect([413, 415], `${where}, ${kind}`).toContain(status);
      statuses.add(status);
      if (status === 415) continue;
      seen[kind]++;
      const atMost = await (await sender(route))(most, kind);
      expect(atMost.status, `${where}, ${kind}`).not.toBe(413);
      expect(atMost.status, `${where}, ${kind}`).toBeLessThan(500);
    }
    expect(statuses, where).toContain(413);
  }
  // Minimum number of such routes, as there are today.
  expect(seen.form).toBeGreaterThan(25);
  expect(seen.json).toBeGreaterThan(8);
  expect(seen.multipart).toBeGreaterThan(10);
});

test('twice as many names cost at most 2.5 times as much, whether accepted or refused', async () => {
  const routes = routesWithBody();
  const first = Math.floor(Math.random() * 3);
  // A random third of them is enough for a usual run.
  for (const route of effort(
    routes.filter((_, at) => at % 3 === first),
    routes,
  )) {
    const send = await sender(route);
    for (const kind of ['form', 'json', 'multipart'] as const) {
      const most = mostNames(route, kind);
      if ((await send(most + 1, kind)).status === 415) continue;
      for (const names of kind === 'multipart' ? [most / 2] : [most / 2, 8 * maxParameters]) {
        const { most: bound, twice } = await costs(send, kind, names);
        const what = `${route.method} ${route.url}, ${names} and twice as many, ${kind}`;
        expect(twice, what).toBeLessThanOrEqual(bound);
      }
    }
  }
}, 240_000);

test('JSON within a form field has the same limits as a JSON body', async () => {
  const { token } = await wiki.member('Fields');
  const data = (values: number) => `[${'1,'.repeat(values - 1)}1]`;
  const sent = async (values: number) => {
    const form = { title: `Values ${values}`, data: `{"list":${data(values - 1)}}` };
    return (await wiki.call('POST', '/v1/pages', { token, form })).status;
  };
  expect([await sent(maxPageValues), await sent(maxPageValues + 1)]).toEqual([200, 413]);
  const parts = async (values: number) => {
    const value = { value: data(values), type: 'application/json' };
    const halves = multipartOf([
      { name: 'title', value: `Parts ${values}` },
      { name: 'one', ...value },
      { name: 'two', ...value },
    ]);
    return (await wiki.call('POST', '/v1/pages', { token, ...halves })).status;
  };
  expect([await parts(maxPageValues / 2), await parts(maxPageValues / 2 + 1)]).toEqual([200, 413]);
});

test('the bytes of a file as a list of numbers do not count as values, whatever the length of the body', async () => {
  const { token } = await wiki.member('Bytes');
  for (const sizeBytes of [20_000, 200_000]) {
    const data = Buffer.alloc(sizeBytes, 7).toJSON();
    const json = { title: `Bytes ${sizeBytes}`, files: { file: { name: 'a.bin', data } } };
    const { status, json: page } = await wiki.call('POST', '/v1/pages', { token, json });
    expect([status, page.files?.[0]?.size]).toEqual([200, sizeBytes]);
  }
});

test('text with thousands of commas and brackets is one value', async () => {
  const body = '[{,"\\'.repeat(3000);
  for (const json of [{ body }, { body: body.repeat(10) }])
    expect((await wiki.call('POST', '/v1/preview', { json })).status).toBe(200);
});

test('the API and the site refuse a query of more than 100 parameters', async () => {
  for (const url of ['/v1/pages', '/v1/updates', '/search', '/']) {
    const query = (count: number) => `${url}?${Array.from({ length: count }, (_, i) => `q${i}=1`).join('&')}`;
    const answer = async (count: number) => (await wiki.call('GET', query(count))).status;
    expect([url, await answer(100), await answer(101)]).toEqual([url, 200, 400]);
  }
});

test('repeated fields become a list, in one pass', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { status, json } = await wiki.call('POST', '/v1/preview', {
    headers,
    body: 'path=a&body=x&path=b&path=c&__proto__=1&constructor=1',
  });
  expect([status, json.errors]).toEqual([
    400,
    [{ pointer: '/path', code: 'wrong-type', detail: expect.stringContaining('string') }],
  ]);
});
