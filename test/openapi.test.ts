/** The OpenAPI document: fresh, complete, described to the last field, and shown as a page that works alone. */
import { readFileSync } from 'node:fs';
import { parse } from 'parse5';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { printOpenApi } from '#src/app.ts';
import { documentOf, type JsonSchema, type OpenApi, startApp, type TestApp } from './http-support.ts';

let wiki: TestApp;
let document: OpenApi;

beforeAll(async () => {
  wiki = await startApp();
  document = documentOf(wiki.app);
});
afterAll(() => wiki.close());

test('openapi.json is what the routes say today', async () => {
  const committed = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8');
  expect(committed === (await printOpenApi()), 'run npm run openapi and commit openapi.json').toBe(true);
});

test('the server serves the same document', async () => {
  const { json, headers } = await wiki.call('GET', '/v1/openapi.json');
  expect(headers['content-type']).toMatch(/^application\/json/);
  expect(json).toEqual(JSON.parse(await printOpenApi()));
  expect(json.openapi).toBe('3.1.0');
});

test('every operation of the interface is in it', () => {
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

test('whatever asks the database says that it may be unavailable', () => {
  const silent = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      responses['503'] ? [] : `${method.toUpperCase()} ${path}`,
    ),
  );
  expect(silent).toEqual(['GET /healthz', 'GET /metrics']);
});

test('operation IDs are unique, and every operation has words, answers and a success', () => {
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
      expect(operation.responses['200'] ?? operation.responses['204'], operation.operationId).toBeDefined();
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

test('every reference leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name]) => name ?? '',
  );
  for (const name of new Set(references)) expect(Object.keys(document.components.schemas)).toContain(name);
});

test('operations that need a token say so, and declare their 401', () => {
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

  test('shows every operation, object and problem, each where links expect it', () => {
    for (const methods of Object.values(document.paths)) {
      for (const { operationId } of Object.values(methods)) expect(page).toContain(`id="${operationId}"`);
    }
    for (const name of Object.keys(document.components.schemas))
      expect(page).toContain(`id="schema-${name}"`);
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(`id="${target}"`);
  });

  test('works without scripts, without a network, and under its strict policy', async () => {
    expect(page).not.toMatch(/<script|\sstyle=|\son\w+=|https?:\/\/(?!wiki\.example\.org)/i);
    const { headers } = await wiki.call('GET', '/v1/docs');
    expect(headers['content-security-policy']).toContain("style-src 'self'");
    expect(headers['content-security-policy']).not.toContain('script-src');
    const css = await wiki.call('GET', '/v1/docs/style.css');
    expect(css.headers['content-type']).toMatch(/^text\/css/);
    expect(css.text).not.toMatch(/url\(|@import/);
  });

  test('is well-formed HTML', () => {
    const errors: string[] = [];
    parse(page, { onParseError: ({ code }) => errors.push(code) });
    expect(errors).toEqual([]);
  });

  test('what problems name as their type is explained there', async () => {
    for (const url of ['/v1/pages/none', '/v1/near', '/v1/pages?limit=x', '/v1/members/me']) {
      const { json } = await wiki.call('GET', url);
      expect(json.type).toMatch(/^\/v1\/docs#/);
      expect(page).toContain(`id="${json.type.split('#')[1]}"`);
    }
  });
});
