/** Bodies in every encoding and size: accepted and refused. */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { effort } from '../support/effort.ts';
import { engines, multipartOf, startApp, type TestApp } from '../support/http.ts';

describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  let wiki: TestApp;
  let ada: { id: number; token: string };

  const maxUpload = 200_000;

  beforeAll(async () => {
    wiki = await startApp({ COPPICE_MAX_UPLOAD: String(maxUpload) }, { engine });
    ada = await wiki.member('Ada');
  });
  afterAll(() => wiki.close());

  const post = (json: unknown) => wiki.call('POST', '/v1/pages', { token: ada.token, json });
  const postParts = (parts: Parameters<typeof multipartOf>[0], token: string | undefined = ada.token) =>
    wiki.call('POST', '/v1/pages', { ...(token ? { token } : {}), ...multipartOf(parts) });
  const text = (value: string) => Buffer.from(value).toString('base64');

  describe('encodings', () => {
    test('an urlencoded form is read like JSON, with objects as JSON', async () => {
      const { status, json } = await wiki.call('POST', '/v1/pages', {
        token: ada.token,
        form: {
          title: 'By form',
          permissions: '744',
          data: '{"a":[1]}',
          location: '{"lat":1,"lon":2}',
          msg: 'über',
          files: JSON.stringify([{ file: { name: 'a.txt', data: text('hi') } }]),
        },
      });
      expect(status).toBe(200);
      expect(json).toMatchObject({
        title: 'By form',
        permissions: 744,
        data: { a: [1] },
        location: { lat: 1, lon: 2 },
      });
      expect(json.history[0].msg).toBe('über');
      expect(json.files[0]).toMatchObject({ filename: 'a.txt', size: 2 });
      const child = await wiki.call('POST', '/v1/pages', {
        token: ada.token,
        form: { title: 'Form child', parent: String(json.id) },
      });
      expect(child.json.path).toBe('/by-form/form-child');
    });

    test('an invalid form field is refused and named', async () => {
      for (const [field, value] of [
        ['data', '{'],
        ['location', 'here'],
        ['permissions', 'abc'],
        ['files', '5'],
        ['files', '{"file":'],
      ]) {
        const answer = await wiki.call('POST', '/v1/pages', {
          token: ada.token,
          form: { title: 'X', [field as string]: value as string },
        });
        expect(answer.status, answer.text).toBe(400);
        expect(answer.json.errors[0].pointer).toBe(`/${field}`);
      }
      // JSON of this length is refused before parsing.
      const form = { title: 'X', data: `{"a":"${'a'.repeat(1_600_000)}"}` };
      const long = await wiki.call('POST', '/v1/pages', { token: ada.token, form });
      expect(long.json.errors[0]).toMatchObject({
        pointer: '/data',
        detail: expect.stringContaining('Expected'),
      });
      const twice = await wiki.call('POST', '/v1/pages', {
        token: ada.token,
        body: 'title=a&title=b',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      expect(twice.json.errors[0].pointer).toBe('/title');
    });

    test('multipart fields are read like those of a form', async () => {
      const { status, json, text } = await postParts([
        { name: 'title', value: 'By parts' },
        { name: 'body', value: 'x'.repeat(50_000) },
        { name: 'data', value: '{"b":2}' },
        { name: 'nonsense', value: 'ignored' },
      ]);
      expect(status, text).toBe(200);
      expect(json).toMatchObject({ title: 'By parts', data: { b: 2 } });
      expect(json.history[0].content.body).toHaveLength(50_000);
      const edited = await wiki.call('POST', '/v1/pages/by-parts', {
        token: ada.token,
        ...multipartOf([
          { name: 'msg', value: 'parts' },
          { name: 'base', value: String(json.history[0].id) },
        ]),
      });
      expect(edited.status, edited.text).toBe(200);
      expect(edited.json.page.history.at(-1).msg).toBe('parts');
    });

    test.each(['text/plain', 'application/xml', 'application/octet-stream', 'text/html'])(
      '%s is refused with 415',
      async (type) => {
        for (const url of ['/v1/pages', '/v1/preview', '/v1/members/auth']) {
          const answer = await wiki.call('POST', url, {
            token: ada.token,
            body: 'x',
            headers: { 'content-type': type },
          });
          expect(answer.status, url).toBe(415);
          expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
        }
      },
    );

    test.each(['gzip', 'br, gzip', 'nonsense'])(
      'a body packed with %s is refused with 415',
      async (coding) => {
        for (const url of ['/v1/pages', '/v1/preview', '/v1/members/auth']) {
          const headers = { 'content-encoding': coding };
          const answer = await wiki.call('POST', url, {
            token: ada.token,
            json: { title: 'Packed' },
            headers,
          });
          expect(answer.status, url).toBe(415);
        }
        const headers = { 'content-encoding': 'identity' };
        const taken = await wiki.call('POST', '/v1/preview', { json: { body: 'x' }, headers });
        expect(taken.status).toBe(200);
      },
    );

    test('multipart is for pages only', async () => {
      const answer = await wiki.call('POST', '/v1/preview', multipartOf([{ name: 'body', value: 'x' }]));
      expect(answer.status).toBe(415);
    });

    test.each([
      '[]',
      '"x"',
      '5',
      'null',
      'true',
      '{',
      '{"a":',
      'nonsense',
      '{"title":"\\ud800"}',
      '{"title":"a\\u0000b"}',
    ])('JSON body %s is refused with 400', async (body) => {
      const answer = await wiki.call('POST', '/v1/pages', {
        token: ada.token,
        body,
        headers: { 'content-type': 'application/json' },
      });
      expect(answer.status, answer.text).toBe(400);
    });

    test.each([Buffer.from('title=%E9t%E9'), Buffer.from([...Buffer.from('title='), 0xe9])])(
      'a form that is not UTF-8 is refused instead of being misread: %o',
      async (body) => {
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        const answer = await wiki.call('POST', '/v1/pages', { token: ada.token, body, headers });
        expect([answer.status, answer.json.detail]).toEqual([400, expect.stringContaining('UTF-8')]);
      },
    );

    test.each([undefined, 'text/plain; charset=utf-8'])(
      'a multipart field that is not UTF-8 is refused and named, a valid one is kept whole (%s)',
      async (type) => {
        const sent = (body: Buffer) =>
          postParts([
            { name: 'title', value: 'Strict parts' },
            { name: 'body', value: body, ...(type ? { type } : {}) },
          ]);
        const refused = await sent(Buffer.from('caf\xe9 lost', 'latin1'));
        expect([refused.status, refused.json.errors]).toEqual([
          400,
          [{ pointer: '/body', code: 'invalid', detail: expect.stringContaining('UTF-8') }],
        ]);
        const kept = await sent(Buffer.from('caf\u00e9 \ufffd \u{1f33f}'));
        expect(kept.status, kept.text).toBe(200);
        expect(kept.json.history[0].content.body).toBe('caf\u00e9 \ufffd \u{1f33f}');
        await wiki.call('POST', `/v1/pages${kept.json.path}`, {
          token: ada.token,
          json: { path: `/strict-parts-${type ? 'named' : 'plain'}` },
        });
      },
    );

    test('a file name that is not UTF-8 is refused, a valid one is kept', async () => {
      const sent = (filename: string, encoding: BufferEncoding) => {
        const { body, headers } = multipartOf([
          { name: 'title', value: 'Named in bytes' },
          { name: 'file', filename: 'NAME', value: 'text' },
        ]);
        const [before, after] = body.toString('latin1').split('NAME') as [string, string];
        const named = Buffer.concat([
          Buffer.from(before),
          Buffer.from(filename, encoding),
          Buffer.from(after),
        ]);
        return wiki.call('POST', '/v1/pages', { token: ada.token, body: named, headers });
      };
      const refused = await sent('caf\xe9.txt', 'latin1');
      expect([refused.status, refused.json.errors]).toEqual([
        400,
        [{ pointer: '/file', code: 'invalid', detail: expect.stringContaining('UTF-8') }],
      ]);
      const kept = await sent('caf\xe9.txt', 'utf8');
      expect(kept.status, kept.text).toBe(200);
      expect(kept.json.files[0].filename).toBe('caf\u00e9.txt');
    });

    test('a multipart field declared as JSON is read as JSON', async () => {
      const type = 'application/json';
      const { status, json, text } = await postParts([
        { name: 'title', value: '"By JSON part"', type },
        { name: 'data', value: '{"c":3}', type },
      ]);
      expect(status, text).toBe(200);
      expect(json).toMatchObject({ title: 'By JSON part', data: { c: 3 } });
      const wrong = await postParts([{ name: 'title', value: 'x', type }]);
      expect([wrong.status, wrong.json.errors[0].pointer]).toEqual([400, '/title']);
    });

    test('more multipart fields than a page has are refused with 413', async () => {
      const many = await postParts(
        Array.from({ length: 101 }, (_, i) => ({ name: `field-${i}`, value: 'x' })),
      );
      expect(many.status, many.text).toBe(413);
    });

    test('a body that is not UTF-8 is refused, but a byte order mark is accepted', async () => {
      const headers = { 'content-type': 'application/json' };
      const bad = Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
      expect((await wiki.call('POST', '/v1/pages', { token: ada.token, body: bad, headers })).status).toBe(
        400,
      );
      const marked = Buffer.from('\ufeff{"title":"Marked"}');
      expect((await wiki.call('POST', '/v1/pages', { token: ada.token, body: marked, headers })).status).toBe(
        200,
      );
    });

    test('excessive nesting is refused', async () => {
      const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
      const body = `{"title":"Deep","data":${deep}}`;
      const answer = await wiki.call('POST', '/v1/pages', {
        token: ada.token,
        body,
        headers: { 'content-type': 'application/json' },
      });
      expect(answer.status).toBe(400);
      expect(answer.json.errors[0].pointer).toBe('/data');
    });

    test('malformed multipart bodies are refused with 400', async () => {
      const headers = { 'content-type': 'multipart/form-data; boundary=x' };
      for (const body of [
        '',
        'nonsense',
        '--x\r\n',
        '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nA',
      ]) {
        const answer = await wiki.call('POST', '/v1/pages', { token: ada.token, body, headers });
        expect(answer.status, JSON.stringify(body)).toBe(400);
      }
      const noBoundary = { 'content-type': 'multipart/form-data' };
      expect(
        (await wiki.call('POST', '/v1/pages', { token: ada.token, body: 'x', headers: noBoundary })).status,
      ).toBe(400);
      expect(
        (
          await postParts([
            { name: '__proto__', value: 'x' },
            { name: 'title', value: 'P' },
          ])
        ).status,
      ).toBeLessThan(500);
    });

    test('a large JSON body is read like a small one', async () => {
      const long = 'leafy'.repeat(210_000);
      const good = await post({
        title: 'Large',
        body: long,
        constructor: { prototype: 1 },
        files: { file: { name: 'a', data: Buffer.alloc(100_000, 1).toString('base64') } },
      });
      expect(good.status, good.text).toBe(200);
      expect(good.json.history[0].content.body === long).toBe(true);
      expect(good.json.files[0].size).toBe(100_000);
      const wrong = await post({
        title: 'Large',
        body: long,
        files: { file: { name: 'a', data: 'no base64!' } },
      });
      expect([wrong.status, wrong.json.errors[0].pointer]).toEqual([400, '/files/file/data']);
      const send = (body: string | Buffer) =>
        wiki.call('POST', '/v1/pages', {
          token: ada.token,
          body: Buffer.from(body),
          headers: { 'content-type': 'application/json' },
        });
      for (const tail of ['"', '"}}', '\\ud800"}']) {
        const [small, large] = await Promise.all(
          ['x', long].map((body) => send(`{"title":"Malformed","body":"${body}${tail}`)),
        );
        expect([large?.status, large?.json.detail]).toEqual([small?.status, small?.json.detail]);
        expect(large?.status).toBe(400);
      }
      const bytes = Buffer.concat([
        Buffer.from(`{"title":"${long}`),
        Buffer.from([0xff, 0xfe]),
        Buffer.from('"}'),
      ]);
      expect((await send(bytes)).json.detail).toContain('not UTF-8');
    });
  });

  describe('sizes', () => {
    const big = Buffer.alloc(maxUpload + 1, 7);
    const storedFiles = async () =>
      (await readdir(wiki.folder, { recursive: true })).filter((name) => /[0-9a-f]{64}$/.test(name));

    test('a file over the limit is refused with 413 in every encoding, and leaves nothing behind', async () => {
      const before = await storedFiles();
      const answers = [
        await post({ title: 'Big', files: { file: { name: 'big', data: big.toString('base64') } } }),
        await post({
          title: 'Big',
          files: { file: { name: 'big', data: { type: 'Buffer', data: [...big] } } },
        }),
        await postParts([
          { name: 'title', value: 'Big' },
          { name: 'file', filename: 'big', value: big },
        ]),
        await postParts([
          { name: 'title', value: 'Big' },
          { name: 'file', filename: 'half', value: big.subarray(0, maxUpload * 0.6) },
          { name: 'file', filename: 'other', value: Buffer.alloc(maxUpload * 0.6, 8) },
        ]),
      ];
      expect(answers.map(({ status }) => status)).toEqual([413, 413, 413, 413]);
      expect((await wiki.call('GET', '/v1/checkpath/big')).json).toEqual({ ok: true });
      const half = createHash('sha256')
        .update(big.subarray(0, maxUpload * 0.6))
        .digest('hex');
      // A file stored before its request was refused is an orphan and will be swept.
      expect((await storedFiles()).filter((name) => !before.includes(name) && !name.endsWith(half))).toEqual(
        [],
      );
    });

    test('more files than a request can have are refused, and none is dropped silently', async () => {
      const files = (count: number) =>
        Array.from({ length: count }, (_, i) => ({ file: { name: `${i}.txt`, data: text(`${i}`) } }));
      const most = await post({ title: 'Most files', files: files(100) });
      expect([most.status, most.json.files.length]).toEqual([200, 100]);
      expect((await post({ title: 'Too many', files: files(101) })).json).toMatchObject({
        status: 413,
        detail: 'A request can have at most 100 files.',
      });
    });

    test('endless nesting is refused wherever JSON is read', async () => {
      const nested = '['.repeat(1_000_000);
      const json = { 'content-type': 'application/json' };
      const answers = [
        await wiki.call('POST', '/v1/preview', { body: `{"body":${nested}`, headers: json }),
        await wiki.call('POST', '/v1/pages', { token: ada.token, body: `{"data":${nested}`, headers: json }),
        await wiki.call('POST', '/v1/pages', { token: ada.token, form: { title: 'Nested', files: nested } }),
        await wiki.call('POST', '/v1/pages', {
          token: ada.token,
          body: `--x\r\nContent-Disposition: form-data; name="data"\r\nContent-Type: application/json\r\n\r\n${nested}\r\n--x--`,
          headers: { 'content-type': 'multipart/form-data; boundary=x' },
        }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
      for (const { json } of answers) expect(json.detail).toContain('nested more than 100 levels');
    });

    test('a file at the limit is accepted in every encoding', async () => {
      const data = Buffer.alloc(maxUpload, 9);
      expect(
        (await post({ title: 'Limit A', files: { file: { name: 'a', data: data.toString('base64') } } }))
          .status,
      ).toBe(200);
      const numbers = { name: 'c', data: { type: 'Buffer', data: [...data] } };
      expect((await post({ title: 'Limit C', files: { file: numbers } })).status).toBe(200);
      expect(
        (
          await postParts([
            { name: 'title', value: 'Limit B' },
            { name: 'file', filename: 'b', value: data.subarray(10) },
          ])
        ).status,
      ).toBe(200);
    });

    test('the text of a page has at most 4 MB, and a longer one leaves nothing behind', async () => {
      const roomy = await startApp({}, { engine });
      try {
        const { token } = await roomy.member('Ada');
        const most = 'é'.repeat(2_000_000);
        await roomy.page(token, { title: 'Long text', body: most });
        for (const url of ['/v1/pages', '/v1/pages/long-text']) {
          const json = { title: 'Longer text', body: `${most}!` };
          const answer = await roomy.call('POST', url, { token, json });
          expect([answer.status, answer.json.detail]).toEqual([413, expect.stringContaining('4 MB')]);
        }
        expect((await roomy.call('GET', '/v1/pages?title=longer')).json).toEqual([]);
      } finally {
        await roomy.close();
      }
    });

    test('the limit for other bodies is 64 kB, or 2 MB for previews', async () => {
      const large = 'x'.repeat(70_000);
      expect(
        (await wiki.call('POST', '/v1/members/auth', { json: { email: large, pass: 'x' } })).status,
      ).toBe(413);
      expect((await wiki.call('POST', '/v1/preview', { json: { body: large } })).status).toBe(200);
      expect((await wiki.call('POST', '/v1/preview', { json: { body: 'x'.repeat(2_100_000) } })).status).toBe(
        413,
      );
    });
  });
});
