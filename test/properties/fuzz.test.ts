/**
 * Hostile values in every parameter, header and body field of the OpenAPI document, and bodies that it does not describe. No
 * response is an internal error, each has its declared shape, the server keeps responding, and the store keeps its invariants.
 *
 * `COPPICE_FUZZ_RUNS`: requests per operation on each engine.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { effort } from '../support/effort.ts';
import {
  type CallOptions,
  documentOf,
  engines,
  type JsonSchema,
  type Method,
  multipartOf,
  type OpenApi,
  type Operation,
  startApp,
  type TestApp,
} from '../support/http.ts';
import { tokenFor } from '../support/sessions.ts';

/** Requests to each operation. */
const runsOn = (engine: string) =>
  Number(process.env.COPPICE_FUZZ_RUNS ?? effort(engine === 'SQLite' ? 8 : 5, 100));

const nasty = [
  '',
  ' ',
  '\0',
  '\u0007',
  '\u202e',
  '\ud800',
  '\udfff\ud800',
  '\ufeff',
  '\uffff',
  'é',
  'e\u0301',
  '𝕏',
  '👩‍👩‍👧‍👦',
  'ﬁ',
  'İ',
  'ß',
  "'",
  '"',
  '`',
  '\\',
  '%',
  '_',
  '*',
  '?',
  '#',
  ';',
  '--',
  '/*',
  "' or '1'='1",
  '"); drop table pages;--',
  '$1',
  '${7*7}',
  '{{7*7}}',
  '/',
  '//',
  '/.',
  '/..',
  '../../etc/passwd',
  '..\\..',
  '/v1/pages',
  '/%2e%2e',
  '%00',
  '%ff',
  'C:\\x',
  'file:///etc/passwd',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  '&lt;',
  ']]>',
  '<!--',
  '{{{',
  '[[',
  '[[Location:',
  '{|',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  'true',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '0',
  '-0',
  '-1',
  '1e309',
  '9007199254740993',
  '18446744073709551616',
  '0x7f',
  '1_000',
  '٣',
  '1.5',
  '+1',
  '2147483648',
  '4294967295',
  'alphabetical',
  'relevance',
  'or',
  'a:b',
  ':',
  ':b',
  'a:',
  '"open quote',
  '"" ""',
  'near/2',
  'a* OR b',
  'NOT',
  'AND',
  '^',
  '(',
  'col:x',
  '/base',
  '/base/leaf',
  'base',
  'Base',
  '/locked',
  '/secret',
  '1',
  '2',
  '3',
  'x'.repeat(300),
  'ü'.repeat(600),
  '/a'.repeat(80),
  '['.repeat(2000),
];

const hostileText = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...nasty) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
);

const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      0,
      -0,
      -1,
      1,
      1.5,
      1e309,
      -1e309,
      2 ** 53,
      2 ** 31,
      774,
      777,
      700,
      1e21,
      5e-324,
      true,
      false,
      null,
      [],
      {},
      [[]],
      [null],
      { lat: 0, lon: 0 },
      { lat: 1e308, lon: null },
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
);

/** Mostly values that fit the schema, with hostile leaves; sometimes any value. */
function valueFor(
  schema: JsonSchema,
  document: { components: { schemas: Record<string, JsonSchema> } },
): fc.Arbitrary<unknown> {
  if (schema.$ref)
    return valueFor(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, document);
  const fitting: fc.Arbitrary<unknown>[] = (schema.examples ?? []).map((example) => fc.constant(example));
  if (schema.const !== undefined) fitting.push(fc.constant(schema.const));
  for (const one of schema.anyOf ?? []) fitting.push(valueFor(one, document));
  if (schema.type === 'string') fitting.push(hostileText);
  if (schema.type === 'integer') fitting.push(fc.integer(), fc.integer({ min: 0, max: 20 }));
  if (schema.type === 'number') fitting.push(fc.double(), fc.integer({ min: -200, max: 200 }));
  if (schema.items) fitting.push(fc.array(valueFor(schema.items, document), { maxLength: 4 }));
  if (schema.properties) {
    const fields = Object.entries(schema.properties).map(
      ([name, field]) => [name, valueFor(field, document)] as const,
    );
    fitting.push(fc.record(Object.fromEntries(fields), { requiredKeys: [] }));
  } else if (schema.patternProperties) {
    fitting.push(fc.dictionary(hostileText, hostileValue, { maxKeys: 4 }));
  }
  return fitting.length > 0
    ? fc.oneof({ weight: 4, arbitrary: fc.oneof(...fitting) }, { weight: 1, arbitrary: hostileValue })
    : hostileValue;
}

/** A valid body, except for a field or two. */
function almostValid(
  schema: JsonSchema,
  example: unknown,
  document: OpenApi,
  isFit?: true,
): fc.Arbitrary<unknown> {
  const target = schema.$ref
    ? (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})
    : schema;
  const names = Object.keys(target.properties ?? {});
  if (names.length === 0) return hostileValue;
  return fc
    .tuple(
      fc.subarray(names),
      // Half of the bodies have all required fields and no hostile ones, so they pass validation.
      isFit ? fc.constant(true) : fc.boolean(),
      fc.array(fc.tuple(fc.constantFrom(...names), hostileValue), { maxLength: 2 }),
      fc.nat(),
    )
    .map(([chosen, isFit, hostile, unique]) => {
      const kept = isFit ? [...chosen, ...(target.required ?? [])] : chosen;
      const replaced = isFit ? [] : hostile;
      const valid = Object.entries(example as Record<string, unknown>).filter(([name]) =>
        kept.includes(name),
      );
      // The examples assume pages that this wiki does not have, so these fields are replaced.
      const title = `Fuzz ${unique}`;
      const own = { title, path: `/fuzz/${unique}`, parent: '/base', page: '/base', base: undefined };
      const fitted = valid.map(([name, value]) => [
        name,
        name in own ? own[name as keyof typeof own] : value,
      ]);
      return { ...Object.fromEntries(fitted), ...Object.fromEntries(replaced) };
    });
}

/** Values are percent-encoded, or left raw to test the URL parser as well. */
const inUrl = (text: string, isRaw: boolean) =>
  isRaw ? text.replace(/[\s?#\0]/g, '') : encodeURIComponent(text.toWellFormed());

interface Request {
  url: string;
  options: CallOptions;
}

describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  const runs = runsOn(engine);
  let wiki: TestApp;
  let members: number[];
  let tokens: (string | undefined)[];

  beforeAll(async () => {
    wiki = await startApp({ COPPICE_MAX_UPLOAD: '1MB' }, { engine });
    members = [(await wiki.member('Ada')).id, (await wiki.member('Root', { isAdmin: true })).id];
    await restock();
  });
  afterAll(() => wiki.close());

  /** Restores the members' rights and whatever is missing: requests sign out, block, protect and delete. */
  const restock = async () => {
    const { store } = wiki.app.service;
    for (const [i, id] of members.entries())
      await store.members.update(id, {
        role: i === 0 ? 'writer' : 'administrator',
        isActive: true,
        block: null,
      });
    const [ada = '', root = ''] = await Promise.all(members.map((id) => tokenFor(wiki.app.service, id)));
    tokens = [undefined, 'forged', ada, root];
    for (const path of ['base', 'base/leaf', 'secret', 'locked']) {
      await wiki.call('PUT', `/v1/protection/${path}`, { token: root, json: { level: null } });
      await wiki.call('PUT', `/v1/rules/${path}`, { token: root, json: { approvals: 0 } });
    }
    for (const [token, page] of [
      [ada, { title: 'Base', body: '[[Colour:red]] [[Nowhere]] text [[Location:1,1]]' }],
      [ada, { title: 'Leaf', parent: '/base', body: '[[Base]]' }],
      [ada, { title: 'Secret', permissions: 700 }],
      [root, { title: 'Locked', permissions: 444 }],
    ] as const) {
      const { status } = await wiki.call('POST', '/v1/pages', { token, json: page });
      expect([200, 400]).toContain(status);
    }
    for (const name of ['One', 'Two', 'Three'])
      await wiki.call('POST', '/v1/groups', { token: root, json: { name } });
    await wiki.call('POST', '/v1/watches', { token: ada, json: { page: '/base' } });
    await wiki.call('POST', '/v1/webhooks', { token: root, json: { url: 'https://example.org/hook' } });
  };

  const requestFor = (
    template: string,
    { parameters = [], requestBody }: Operation,
  ): fc.Arbitrary<Request> => {
    const document = documentOf(wiki.app);
    const path = parameters.filter((one) => one.in === 'path');
    const query = parameters.filter((one) => one.in === 'query');
    const headers = parameters.filter((one) => one.in === 'header');
    const existing = fc.constantFrom('base', 'base/leaf', 'secret', 'locked');
    const textFor = (schema: JsonSchema) =>
      valueFor(schema, document).map((value) =>
        typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
      );
    const { schema: body, example } = requestBody?.content['application/json'] ?? {};
    const needed = query.filter(({ required }) => required);
    const fitFor = ({ token, fitBody }: { token: string | undefined; fitBody: unknown }) => ({
      token: token === undefined || token === 'forged' ? tokens.at(-1) : token,
      isRaw: false,
      query: needed.map((one): [string, string] => [one.name, String(one.example ?? '/base')]),
      headers: [],
      body: fitBody,
      encoding: 'json',
    });
    return fc
      .record({
        token: fc.constantFrom(...tokens),
        // A quarter of the requests have everything that the operation requires, so that they get past its checks.
        isFit: fc.nat(3).map((n) => n === 0),
        isRaw: fc.boolean(),
        path: fc.tuple(
          ...path.map((one) =>
            one.name === 'path'
              ? fc.oneof(existing, existing, hostileText)
              : fc.oneof(
                  fc.constant(String(one.example)),
                  // IDs that exist from the start.
                  fc.constantFrom('1', '2', '3'),
                  textFor(one.schema),
                  hostileText,
                ),
          ),
        ),
        // Requests without a query reach their operation; most others are refused because of it.
        query: fc.oneof(
          fc.constant<[string, string][]>([]),
          fc.array(
            fc.tuple(
              fc.constantFrom(...query.map(({ name }) => name), 'unknown', '__proto__'),
              fc.oneof(...query.map((one) => textFor(one.schema)), hostileText),
            ),
            { maxLength: 5 },
          ),
        ),
        headers: fc.array(
          fc.tuple(
            fc.constantFrom(...headers.map(({ name }) => name), 'X-Request-Id', 'Accept', 'Origin'),
            hostileText,
          ),
          { maxLength: 2 },
        ),
        body:
          body === undefined
            ? fc.constant(undefined)
            : fc.oneof(almostValid(body, example, document), valueFor(body, document)),
        fitBody: body === undefined ? fc.constant(undefined) : almostValid(body, example, document, true),
        encoding: fc.constantFrom('json', 'json', 'json', 'form', 'parts', 'raw'),
        junk: hostileText,
      })
      .map((drawn) => (drawn.isFit ? { ...drawn, ...fitFor(drawn) } : drawn))
      .map(({ token, isRaw, path: values, query, headers, body, encoding, junk }) => {
        let url = template;
        for (const [index, { name }] of path.entries()) {
          const text = values[index] ?? '';
          const encoded =
            name === 'path'
              ? text
                  .split('/')
                  .map((part) => inUrl(part, isRaw))
                  .join('/')
              : inUrl(text, isRaw);
          url = url.replace(`{${name}}`, () => encoded);
        }
        if (query.length > 0)
          url += `?${query.map(([name, value]) => `${inUrl(name, false)}=${inUrl(value, isRaw)}`).join('&')}`;
        // Requests that no HTTP client could send are left out.
        const sendable = headers.map(([name, value]) => [name, value.replace(/[^\x20-\x7e]/g, '')] as const);
        const options: CallOptions = {
          ...(token === undefined ? {} : { token }),
          headers: Object.fromEntries(sendable),
        };
        return {
          url,
          options:
            body === undefined
              ? options
              : { ...options, ...contentOf(encoding, body, junk, options.headers ?? {}) },
        };
      });
  };

  const contentOf = (
    encoding: string,
    body: unknown,
    junk: string,
    headers: Record<string, string>,
  ): CallOptions => {
    const fields = Object.entries(typeof body === 'object' && body !== null ? body : { junk: body }).map(
      ([name, value]) => [name, typeof value === 'string' ? value : (JSON.stringify(value) ?? '')] as const,
    );
    switch (encoding) {
      case 'form':
        return { form: Object.fromEntries(fields.map(([name, value]) => [name, value.toWellFormed()])) };
      case 'parts': {
        const parts = fields.map(([name, value]) => ({ name: name.replace(/["\r\n]/g, ''), value }));
        const made = multipartOf([
          ...parts,
          { name: 'file', filename: junk.replace(/["\r\n]/g, ''), value: junk },
        ]);
        return { ...made, headers: { ...headers, ...made.headers } };
      }
      case 'raw':
        return { body: junk, headers: { ...headers, 'content-type': 'application/json' } };
      default:
        return { json: body };
    }
  };

  test('no operation answers hostile input with an internal error or an undeclared shape', async () => {
    const operations = Object.entries(documentOf(wiki.app).paths).flatMap(([template, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        template,
        method: method.toUpperCase() as Method,
        operation,
      })),
    );
    const statuses = new Map<string, Map<number, number>>();
    let isChanged = false;
    for (const { template, method, operation } of operations) {
      const seen = new Map<number, number>();
      statuses.set(`${method} ${template}`, seen);
      if (isChanged) await restock();
      isChanged = method !== 'GET';
      await fc.assert(
        fc.asyncProperty(requestFor(template, operation), async ({ url, options }) => {
          const answer = await wiki.call(method, url, options);
          seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
          const isNear = /^\/v1\/near/.test(pathOf(url).replace(/%[0-9a-f]{2}/gi, decode));
          if (answer.status >= 500 && !(answer.status === 500 && isNear))
            expect.fail(`${method} ${url}: ${answer.status} ${answer.text}`);
          if (answer.status >= 400 && pathOf(url).startsWith('/v1/'))
            expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
        }),
        { numRuns: runs, endOnFailure: true },
      );
    }
    expect((await wiki.call('GET', '/healthz')).status).toBe(200);
    expect((await wiki.call('GET', '/v1/pages?path=/&limit=1000')).status).toBe(200);
    // Most operations must succeed at times, or the test would only cover refusals.
    const refused = [...statuses.values()].filter((seen) => ![...seen.keys()].some((status) => status < 400));
    expect(refused.length / operations.length).toBeLessThan(0.5);
  }, 240_000);

  test('unknown methods and addresses are refused as such', async () => {
    const methods: Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...methods),
        fc.array(hostileText, { maxLength: 4 }),
        async (method, segments) => {
          const url = `/v1/${segments.map((segment) => inUrl(segment, false)).join('/')}`;
          const { status } = await wiki.call(method, url, /POST|PUT|PATCH/.test(method) ? { json: {} } : {});
          expect([200, 204, 308, 400, 401, 404, 405]).toContain(status);
        },
      ),
      { numRuns: runs * 3 },
    );
  });

  test('afterwards all invariants of the store hold', async () => {
    expect(await wiki.app.service.store.maintenance.violations(20)).toEqual([]);
  });
});

/** Path as `inject` sends it: without dot segments. */
function pathOf(url: string): string {
  return new URL(url, 'http://localhost').pathname;
}

function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
