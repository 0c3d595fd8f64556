/**
 * Requests on a pool of one connection to PostgreSQL: whatever needs a second one while it holds the first would wait for
 * itself. With a larger pool, as many such requests at once as it has connections stop the process.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWiki } from '../support/cli.ts';
import { type Answer, documentOf, type Method, startApp, type TestApp } from '../support/http.ts';

let wiki: TestApp;
let ada: { token: string };

beforeAll(async () => {
  wiki = await startApp({ DATABASE_CONNECTIONS: '1' }, { engine: 'PostgreSQL' });
  ada = await wiki.member('Ada', { isAdmin: true });
  await wiki.page(ada.token, {
    title: 'Garden',
    body: 'A [[rose]]. {{Note}} [[Location:1, 2]]',
  });
  await wiki.page(ada.token, { title: 'Roses', parent: '/garden', body: 'Red.' });
});
afterAll(() => wiki.close());

const unavailable = '/v1/docs#problem-unavailable';

/** Every operation, with the example values that the document gives. */
function operations(): { name: string; method: Method; url: string; json: unknown; isEndless: boolean }[] {
  return Object.entries(documentOf(wiki.app).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters = [], requestBody }]) => {
      const values = Object.fromEntries(parameters.map(({ name, example }) => [name, String(example)]));
      const query = new URLSearchParams(
        parameters
          .filter((one) => one.in === 'query' && one.required)
          .map(({ name }) => [name, values[name] ?? '']),
      );
      const isEndless = wiki.app.routes.routes.some(
        ({ schema, config }) => schema?.operationId === operationId && config?.isEndless,
      );
      const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURI(values[name] ?? ''));
      const content = requestBody?.content['application/json'] as { example?: unknown } | undefined;
      return {
        name: operationId,
        method: method.toUpperCase() as Method,
        url: `${filled}?${query}`,
        json: content?.example,
        isEndless,
      };
    }),
  );
}

test('every operation responds, for members and for strangers', async () => {
  for (const token of [ada.token, undefined]) {
    for (const { name, method, url, json, isEndless } of operations()) {
      // A caller for each, because some operations end the session.
      const who =
        token === undefined ? {} : { token: (await wiki.member(`${name} caller`, { isAdmin: true })).token };
      if (isEndless) continue;
      const { text, json: answer }: Answer = await wiki.call(method, url, {
        ...who,
        ...(json ? { json } : {}),
      });
      expect(answer?.type === unavailable, `${name}: ${text}`).toBe(false);
    }
  }
}, 600_000);

test('every page of the site responds', async () => {
  const urls = wiki.app.routes.routes.flatMap(({ method, url, schema }) =>
    method === 'GET' && !url.startsWith('/v1') && schema?.operationId === undefined && !url.includes(':')
      ? [url]
      : [],
  );
  expect(urls.length).toBeGreaterThan(20);
  for (const url of [
    ...urls.map((url) => url.replace('*', 'garden')),
    '/garden',
    '/garden/roses',
    '/nowhere',
  ]) {
    const { status, text } = await wiki.call('GET', url, { headers: { accept: 'text/html' } });
    expect([503, 500].includes(status), `${url}: ${text}`).toBe(false);
  }
}, 300_000);

test('atomic batches respond, with every operation that they accept', async () => {
  const writing = operations().filter(({ name }) =>
    wiki.app.routes.routes.some(
      ({ schema, config }) => schema?.operationId === name && config?.scope === 'write',
    ),
  );
  expect(writing.length).toBeGreaterThan(5);
  for (const { name, method, url, json } of writing) {
    const operation = { method, path: url, ...(json ? { body: json } : {}) };
    const { text } = await wiki.call('POST', '/v1/batch', {
      token: ada.token,
      json: { atomic: true, operations: [operation] },
      headers: { 'idempotency-key': `key of ${name}`.replaceAll(' ', '-') },
    });
    expect(text, name).not.toContain(unavailable);
  }
}, 300_000);

test('many atomic batches make progress, and readyz responds meanwhile', async () => {
  await using _ = { [Symbol.asyncDispose]: async () => crowded.close() };
  const crowded = await startApp({}, { engine: 'PostgreSQL' });
  const { token } = await crowded.member('Olga');
  const batches = Array.from({ length: 48 }, (_, i) =>
    crowded.call('POST', '/v1/batch', {
      token,
      json: {
        atomic: true,
        operations: [0, 1, 2].map((n) => ({
          method: 'POST',
          path: '/v1/pages',
          body: { title: `Oak ${i} ${n}` },
        })),
      },
    }),
  );
  const ready = await crowded.call('GET', '/readyz');
  expect(ready.status).toBe(200);
  const results = await Promise.all(batches);
  expect(results.map(({ status, json }) => [status, json.failed])).toEqual(
    results.map(() => [200, undefined]),
  );
}, 120_000);

test('readyz responds while every connection is in use', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const holding = wiki.app.service.store.transact(async (store) => {
    await store.members.lock(1);
    await held;
  });
  expect((await wiki.call('GET', '/readyz')).status).toBe(200);
  release();
  await holding;
}, 120_000);

test('commands that read the whole wiki make progress, too', async () => {
  await using wiki = await startWiki('PostgreSQL', { DATABASE_CONNECTIONS: '1' });
  await wiki.administrator();
  const page = join(wiki.folder, 'page.md');
  writeFileSync(page, '---\ntitle: Oak\n---\nA [[tree]].\n');
  for (const args of [
    ['import', wiki.folder],
    ['rebuild'],
    ['check'],
    ['backup', join(wiki.folder, 'backup.tar.gz')],
    ['export', '--format', 'site', '--to', join(wiki.folder, 'site')],
    ['export', '--format', 'jsonl', '--to', join(wiki.folder, 'lines')],
  ])
    expect([args, await wiki.coppice(args)]).toEqual([args, expect.objectContaining({ code: 0 })]);
}, 300_000);
