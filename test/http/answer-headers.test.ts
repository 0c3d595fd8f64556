/** Headers and error codes for programs: page address, ETag, remaining rate limit, cause of an error. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/http.ts';

let wiki: TestApp;
let token: string;

beforeAll(async () => {
  wiki = await startApp({ COPPICE_RATE_LIMIT: 'on' });
  ({ token } = await wiki.member('Ada'));
});
afterAll(() => wiki.close());

test('creating and editing return the address of the page and the tag for the next edit', async () => {
  const made = await wiki.call('POST', '/v1/pages', { token, json: { title: 'Été & Co' } });
  expect(made.headers.location).toBe('/v1/pages/ete-co');
  const edit = async (etag: unknown, json: object) =>
    wiki.call('POST', '/v1/pages/ete-co', { token, json, headers: { 'if-match': String(etag) } });
  const edited = await edit(made.headers.etag, { body: 'One.' });
  expect(edited.status).toBe(200);
  expect((await edit(made.headers.etag, { body: 'Two.' })).status).toBe(412);
  const moved = await edit(edited.headers.etag, { path: '/été' });
  expect(moved.headers.location).toBe('/v1/pages/%C3%A9t%C3%A9');
  const read = await wiki.call('GET', String(moved.headers.location), { token });
  expect(read.json.page.title).toBe('Été & Co');
});

test('writes return their limit and the remaining requests, and a batch counts each operation', async () => {
  const like = () => wiki.call('PUT', '/v1/likes/%C3%A9t%C3%A9', { token });
  const left = (headers: Record<string, unknown>) =>
    Number(/^"writes";r=(\d+);t=\d+$/.exec(String(headers.ratelimit))?.[1]);
  const first = await like();
  expect(first.headers['ratelimit-policy']).toBe('"writes";q=6000;w=60');
  const before = left((await like()).headers);
  expect(before).toBe(left(first.headers) - 1);
  const operation = { method: 'PUT', path: '/v1/likes/%C3%A9t%C3%A9' };
  await wiki.call('POST', '/v1/batch', { token, json: { operations: [operation, operation, operation] } });
  expect(left((await like()).headers)).toBe(before - 5);
  const signIn = await wiki.call('POST', '/v1/members/auth', { json: { provider: 'x', id: 'y' } });
  expect(signIn.headers['ratelimit-policy']).toBe('"writes";q=6000;w=60, "sign-ins";q=60;w=60');
  expect((await wiki.call('GET', '/v1/updates')).headers.ratelimit).toBeUndefined();
});

test.each([
  ['POST', '/v1/pages', {}, '/title', 'required'],
  ['POST', '/v1/pages', { title: 7 }, '/title', 'wrong-type'],
  ['POST', '/v1/pages', { title: 'x', parent: '/nowhere' }, '/parent', 'not-found'],
  ['POST', '/v1/pages', { title: 'x', path: '/search' }, '/path', 'path-reserved'],
  ['POST', '/v1/pages', { title: 'x', description: 'x'.repeat(281) }, '/description', 'invalid'],
  ['POST', '/v1/rollback/%C3%A9t%C3%A9', { to: 999_999 }, '/to', 'not-found'],
  ['POST', '/v1/rollback/%C3%A9t%C3%A9', {}, '/to', 'required'],
  ['GET', '/v1/pages?nothing=1&strict=1', undefined, '?nothing', 'unknown-parameter'],
  ['GET', '/v1/pages?limit=x', undefined, '?limit', 'wrong-type'],
] as const)('%s %s %j: errors name %s with the code %s', async (method, url, json, pointer, code) => {
  const answer = await wiki.call(method, url, { token, ...(json ? { json } : {}) });
  expect([answer.status, answer.json.errors]).toEqual([400, [{ pointer, code, detail: expect.any(String) }]]);
});
