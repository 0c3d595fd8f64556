/** The OpenAPI document: up to date, complete, every field described, and shown as a self-contained page. */
import { readFileSync } from 'node:fs';
import { parse } from 'parse5';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { printOpenApi } from '#run/print-open-api.ts';
import {
  documentOf,
  holdAgainst,
  type JsonSchema,
  type OpenApi,
  startApp,
  type TestApp,
} from './support/http.ts';

let wiki: TestApp;
let document: OpenApi;

beforeAll(async () => {
  wiki = await startApp();
  document = documentOf(wiki.app);
});
afterAll(() => wiki.close());

test('openapi.json matches the routes', async () => {
  const committed = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8');
  expect(committed === (await printOpenApi()), 'run npm run openapi and commit openapi.json').toBe(true);
});

test('the server serves the same document', async () => {
  const { json, headers } = await wiki.call('GET', '/v1/openapi.json');
  expect(headers['content-type']).toMatch(/^application\/json/);
  expect(json).toEqual(JSON.parse(await printOpenApi()));
  expect(json.openapi).toBe('3.1.0');
});

test('no setting changes openapi.json', async () => {
  const other = await startApp({
    ...{ COPPICE_SIGN_UP: 'open', COPPICE_REQUIRE_SECOND_FACTOR: 'administrators', COPPICE_METRICS: 'off' },
    ...{ COPPICE_NAME: 'Other', COPPICE_URL: 'https://wiki.example.org', COPPICE_CACHE: 'off' },
  });
  expect(other.app.openApi()).toEqual(document);
  await other.close();
});

test('openapi.json has every operation of the interface', () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  for (const operation of [
    'POST /v1/pages',
    'POST /v1/pages/{path}',
    'GET /v1/pages',
    'GET /v1/near/{lat}/{lon}',
    'GET /v1/near/{lat}/{lon}/{dist}',
    'GET /v1/requested',
    'GET /v1/requested/{num}',
    'GET /v1/updates',
    'GET /v1/updates/{num}',
    'GET /v1/checkpath/{path}',
    'POST /v1/members/auth',
  ]) {
    expect(operations).toContain(operation);
  }
});

test('operations that use the database declare that it may be unavailable', () => {
  const silent = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      responses['503'] ? [] : `${method.toUpperCase()} ${path}`,
    ),
  );
  expect(silent).toEqual(['GET /healthz', 'GET /metrics', 'GET /v1/near', 'GET /v1/near/{lat}']);
});

test('operation IDs are unique, and every operation has a description, responses and a success', () => {
  const seen = new Set<string>();
  for (const methods of Object.values(document.paths)) {
    for (const operation of Object.values(methods) as (OpenApi['paths'][string][string] & {
      summary?: string;
      description?: string;
      tags?: string[];
    })[]) {
      expect(seen).not.toContain(operation.operationId);
      seen.add(operation.operationId);
      expect(operation.summary, operation.operationId).toMatch(/./);
      expect(operation.description, operation.operationId).toMatch(/./);
      expect(operation.tags, operation.operationId).toHaveLength(1);
      const success = ['200', '202', '204'].find((status) => operation.responses[status]);
      const isRefusal = /^nearWithout/.test(operation.operationId);
      expect(success === undefined, operation.operationId).toBe(isRefusal);
      expect(operation.responses['500'], operation.operationId).toBeDefined();
    }
  }
});

test('every parameter and every field has a description and an example', () => {
  const bare: string[] = [];
  const look = (schema: JsonSchema, where: string) => {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const here = `${where}.${name}`;
      const isComposite =
        field.$ref !== undefined || field.items !== undefined || field.properties !== undefined;
      if (!field.$ref && !field.description) bare.push(`${here}: description`);
      if (!isComposite && !field.examples && field.const === undefined) bare.push(`${here}: example`);
      look(field, here);
    }
    for (const one of schema.anyOf ?? []) look(one, where);
    if (schema.items) look(schema.items, `${where}[]`);
  };
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    if (!schema.description) bare.push(name);
    look(schema, name);
  }
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { parameters = [], requestBody, responses }] of Object.entries(methods)) {
      for (const { name, description, example } of parameters) {
        if (!description || example === undefined || example === null) bare.push(`${method} ${path} ${name}`);
      }
      for (const [type, media] of Object.entries(requestBody?.content ?? {})) {
        if (type !== 'multipart/form-data' && media.example === undefined)
          bare.push(`${method} ${path} ${type}`);
      }
      for (const [status, { description, content = {} }] of Object.entries(responses)) {
        if (!description) bare.push(`${method} ${path} ${status}`);
        for (const media of Object.values(content)) {
          if (media.example === undefined && media.examples === undefined)
            bare.push(`${method} ${path} ${status} example`);
        }
      }
    }
  }
  expect(bare).toEqual([]);
});

test('every reference has a target', () => {
  const references = JSON.stringify(document).matchAll(
    /"\$ref":"#\/components\/(schemas|examples)\/([^"]+)"/g,
  );
  for (const [whole, kind, name = ''] of references)
    expect(document.components[kind as 'schemas' | 'examples'], whole).toHaveProperty([name]);
});

describe('every response is declared', () => {
  let token: string;
  beforeAll(async () => {
    token = (await wiki.member('Ada')).token;
    const files = { file: { name: 'a.txt', data: Buffer.from('text').toString('base64') } };
    await wiki.page(token, {
      title: 'Garden',
      body: '[[Location: 1, 1]] [[season:summer]] [[Roses]]',
      files,
    });
  });

  test('operations that declare 304 have a tag and return it, for everybody', async () => {
    const tagged = Object.entries(document.paths).filter(([, { get }]) => get?.responses['304']);
    expect(tagged.map(([path]) => path)).toEqual(
      expect.arrayContaining(['/v1/pages', '/v1/updates', '/v1/requested/{num}', '/v1/near/{lat}/{lon}']),
    );
    const { files } = (await wiki.call('GET', '/v1/pages/garden', { token })).json.page;
    for (const [path] of tagged) {
      const url = path
        .replace('{path}', 'garden')
        .replace('{name}', files[0].name)
        .replace(/\{\w+\}/g, '1');
      for (const who of [{}, { token }]) {
        const first = await wiki.call('GET', url, who);
        expect([url, first.status, first.headers.etag]).toEqual([url, 200, expect.stringMatching(/^".+"$/)]);
        const headers = { 'if-none-match': String(first.headers.etag) };
        const again = await wiki.call('GET', url, { ...who, headers });
        expect([url, again.status, again.text]).toEqual([url, 304, '']);
        const other = await wiki.call('GET', url, { ...who, headers: { 'if-none-match': '"other"' } });
        expect([url, other.status]).toEqual([url, 200]);
      }
    }
  });

  test('a member’s list gets another tag when its content changes, and not before', async () => {
    const tagOf = async () => (await wiki.call('GET', '/v1/updates', { token })).headers.etag;
    const before = await tagOf();
    expect(await tagOf()).toBe(before);
    await wiki.page(token, { title: 'Hidden', permissions: 700 });
    expect(await tagOf()).not.toBe(before);
  });

  test('places without coordinates, files of every type, and refusals as pages are covered', async () => {
    for (const url of ['/v1/near', '/v1/near/1', '/v1/near/x']) {
      const { status, json } = await wiki.call('GET', url);
      expect([url, status, json.type]).toEqual([url, 500, '/v1/docs#problem-place-missing']);
    }
    const { files } = (await wiki.call('GET', '/v1/pages/garden')).json.page;
    const url = `/files/${files[0].name}`;
    const read = await wiki.call('GET', url);
    expect([files[0].mime, read.headers['content-type']]).toEqual([
      'text/plain',
      'text/plain; charset=utf-8',
    ]);
    const part = await wiki.call('GET', url, { headers: { range: 'bytes=1-2' } });
    expect([part.status, part.text]).toEqual([206, 'ex']);
    expect((await wiki.call('GET', url, { headers: { range: 'bytes=99-' } })).status).toBe(416);
    const page = await wiki.call('GET', '/files/none', { headers: { accept: 'text/html' } });
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  });
});

test('undeclared statuses, media types, fields and formats fail every test that meets them', async () => {
  const other = await startApp();
  const document = structuredClone(documentOf(other.app));
  holdAgainst(other.app, document);
  const { paths } = document;
  const declare = (
    path: string,
    status: string,
    content: Record<string, { schema: JsonSchema }> | undefined,
  ) => {
    const responses = paths[path]?.get?.responses ?? {};
    if (content) responses[status] = { description: '', content };
    else delete responses[status];
  };
  const fails = (url: string) => expect(other.call('GET', url)).rejects;
  declare('/v1/updates', '200', undefined);
  await fails('/v1/updates').toThrow('answers 200, which it does not declare');
  declare('/v1/requested', '200', { 'text/plain': { schema: {} } });
  await fails('/v1/requested').toThrow('with application/json, which it does not declare');
  declare('/v1/pages/{path}', '404', undefined);
  await fails('/v1/pages/none').toThrow('answers 404, which it does not declare');
  const schema = { type: 'object', properties: { ok: { type: 'boolean' } } };
  declare('/v1/checkpath/{path}', '200', { 'application/json': { schema } });
  await other.call('GET', '/v1/checkpath/free');
  await fails('/v1/checkpath/v1').toThrow('something else than it declares');
  const dated = { type: 'object', properties: { status: { type: 'string', format: 'date-time' } } };
  declare('/healthz', '200', { 'application/json': { schema: dated } });
  await fails('/healthz').toThrow('something else than it declares');
  await other.close();
});

test('operations that need a token declare it, and their 401', () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { security, responses }] of Object.entries(methods)) {
      if (security.length === 1) expect(responses['401'], `${method} ${path}`).toBeDefined();
    }
  }
});

describe('the reference page', () => {
  let page: string;
  beforeAll(async () => {
    page = (await wiki.call('GET', '/v1/docs')).text;
  });

  test('lists every operation, object and problem, each at its anchor', () => {
    for (const methods of Object.values(document.paths)) {
      for (const { operationId } of Object.values(methods)) expect(page).toContain(`id="${operationId}"`);
    }
    for (const name of Object.keys(document.components.schemas))
      expect(page).toContain(`id="schema-${name}"`);
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(`id="${target}"`);
  });

  test('works without scripts, without a network, and under its strict policy', async () => {
    expect(page).not.toMatch(
      /<script(?! type="module" src="\/v1\/docs\/try\.js"><)|\s(style|on\w+)=|(src|href)="(\w+:|\/\/)/i,
    );
    const { headers } = await wiki.call('GET', '/v1/docs');
    expect(headers['content-security-policy']).toContain("style-src 'self'");
    expect(headers['content-security-policy']).toContain("script-src 'self'; connect-src 'self';");
    const script = await wiki.call('GET', '/v1/docs/try.js');
    expect(script.headers['content-type']).toMatch(/^text\/javascript/);
    const css = await wiki.call('GET', '/v1/docs/style.css');
    expect(css.headers['content-type']).toMatch(/^text\/css/);
    expect(css.text).not.toMatch(/url\(|@import/);
  });

  test('shows calls of each operation in three languages, and a form for each reading operation', () => {
    const operations = Object.values(document.paths).flatMap(Object.keys);
    const count = (text: string) => page.split(text).length - 1;
    for (const language of ['curl', 'JavaScript', 'Python'])
      expect(count(`<summary>${language}</summary>`)).toBe(operations.length);
    expect(count(' data-try="')).toBe(operations.filter((method) => method === 'get').length);
    expect(page).toContain('Authorization: Bearer $TOKEN');
    expect(page).toMatch(/curl &#39;http:\/\/[^/]+\/v1\/members\/me&#39;/);
  });

  test('is well-formed HTML', () => {
    const errors: string[] = [];
    parse(page, { onParseError: ({ code }) => errors.push(code) });
    expect(errors).toEqual([]);
  });

  test('types of problems lead to their explanation there', async () => {
    for (const url of ['/v1/pages/none', '/v1/near', '/v1/pages?limit=x', '/v1/members/me']) {
      const { json } = await wiki.call('GET', url);
      expect(json.type).toMatch(/^\/v1\/docs#/);
      expect(page).toContain(`id="${json.type.split('#')[1]}"`);
    }
  });
});
