/** Bodies in every encoding, and files: what comes in, what is refused, what is served. */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, multipartOf, startApp, type TestApp } from './http-support.ts';

describe.each(engines)('on %s', (engine) => {
  let wiki: TestApp;
  let ada: { id: number; token: string };
  let bob: typeof ada;
  let png: Buffer;

  const maxUpload = 200_000;

  beforeAll(async () => {
    wiki = await startApp({ COPPICE_MAX_UPLOAD: String(maxUpload) }, { engine });
    ada = await wiki.member('Ada');
    bob = await wiki.member('Bob');
    png = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#385' } })
      .png()
      .toBuffer();
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
          ...{
            title: 'By form',
            permissions: '744',
            data: '{"a":[1]}',
            location: '{"lat":1,"lon":2}',
            msg: 'über',
          },
          files: JSON.stringify({ file: { name: 'a.txt', data: text('hi') } }),
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

    test('a form field that cannot be read is refused and named', async () => {
      for (const [field, value] of [
        ['data', '{'],
        ['location', 'here'],
        ['permissions', 'abc'],
        ['files', '5'],
      ]) {
        const answer = await wiki.call('POST', '/v1/pages', {
          token: ada.token,
          form: { title: 'X', [field as string]: value as string },
        });
        expect(answer.status, answer.text).toBe(400);
        expect(answer.json.errors[0].pointer).toBe(`/${field}`);
      }
      const twice = await wiki.call('POST', '/v1/pages', {
        ...{
          token: ada.token,
          body: 'title=a&title=b',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        },
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
        ...{
          token: ada.token,
          ...multipartOf([
            { name: 'msg', value: 'parts' },
            { name: 'base', value: String(json.history[0].id) },
          ]),
        },
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

    test('a body that is not UTF-8 is refused, a byte order mark is not', async () => {
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

    test('nesting beyond reason is refused, not followed', async () => {
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
  });

  describe('sizes', () => {
    const big = Buffer.alloc(maxUpload + 1, 7);
    const storedFiles = async () =>
      (await readdir(wiki.folder, { recursive: true })).filter((name) => /[0-9a-f]{64}$/.test(name));

    test('a file beyond the limit is refused with 413 in every encoding, and leaves nothing behind', async () => {
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
          ...[
            { name: 'title', value: 'Big' },
            { name: 'file', filename: 'half', value: big.subarray(0, maxUpload * 0.6) },
          ],
          { name: 'file', filename: 'other', value: Buffer.alloc(maxUpload * 0.6, 8) },
        ]),
      ];
      expect(answers.map(({ status }) => status)).toEqual([413, 413, 413, 413]);
      expect((await wiki.call('GET', '/v1/checkpath/big')).json).toEqual({ ok: true });
      const half = createHash('sha256')
        .update(big.subarray(0, maxUpload * 0.6))
        .digest('hex');
      // A file that arrived whole before its request was refused is an orphan, to be swept.
      expect((await storedFiles()).filter((name) => !before.includes(name) && !name.endsWith(half))).toEqual(
        [],
      );
    });

    test('a file at the limit is taken in every encoding', async () => {
      const data = Buffer.alloc(maxUpload, 9);
      expect(
        (await post({ title: 'Limit A', files: { file: { name: 'a', data: data.toString('base64') } } }))
          .status,
      ).toBe(200);
      expect(
        (
          await postParts([
            { name: 'title', value: 'Limit B' },
            { name: 'file', filename: 'b', value: data.subarray(10) },
          ])
        ).status,
      ).toBe(200);
    });

    test('the text of a page has at most 4 MB, and nothing is left of more', async () => {
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

    test('other bodies are small: 64 kB, 2 MB for previews', async () => {
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

  describe('files', () => {
    const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex');

    test('a large JSON body is read as a small one is', async () => {
      const long = 'leafy'.repeat(210_000);
      const good = await post({
        ...{ title: 'Large', body: long, constructor: { prototype: 1 } },
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
          ...{ token: ada.token, body: Buffer.from(body) },
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

    test('base64 and the Buffer form give the same file, with everything the interface says of it', async () => {
      for (const [title, data] of [
        ['Base', png.toString('base64')],
        ['Buffered', JSON.parse(JSON.stringify(png))],
      ] as const) {
        const { status, json, text } = await post({
          title,
          files: {
            file: {
              name: 'Green field.png',
              data,
              size: png.length,
              md5: md5(png),
              mimetype: 'image/png',
              encoding: '7bit',
            },
          },
        });
        expect(status, text).toBe(200);
        const [file] = json.files;
        expect(file).toMatchObject({
          ...{
            filename: 'Green field.png',
            mime: 'image/png',
            size: png.length,
            page: json.id,
            uploader: ada.id,
          },
          urls: { full: `/files/${file.name}`, thumbnail: `/files/${file.thumbnail}` },
        });
        expect(file.readableSize).toBe(`${(png.length / 1000).toFixed(1)} kB`);
        expect(Number.isInteger(file.timestamp)).toBe(true);
        const served = await wiki.app.server.inject({ url: file.urls.full });
        expect(served.rawPayload.equals(png)).toBe(true);
        const thumbnail = await wiki.app.server.inject({ url: file.urls.thumbnail });
        expect(await sharp(thumbnail.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 400 });
      }
    });

    test('files arrive as parts, several at once, and stay when an edit sends none', async () => {
      const { json } = await postParts([
        { name: 'title', value: 'Parts' },
        { name: 'file', filename: 'a.png', type: 'image/png', value: png },
        { name: 'file', filename: 'b.txt', type: 'text/plain', value: 'hello' },
        { name: 'thumbnail', filename: 't.png', type: 'image/png', value: png },
      ]);
      expect(json.files.map(({ filename, mime }: Record<string, string>) => [filename, mime])).toEqual([
        ['a.png', 'image/png'],
        ['b.txt', 'text/plain; charset=utf-8'],
      ]);
      const edited = await wiki.call('POST', '/v1/pages/parts', { token: ada.token, json: { body: 'x' } });
      expect(edited.json.page.files).toHaveLength(2);
      const more = await wiki.call('POST', '/v1/pages/parts', {
        token: ada.token,
        ...multipartOf([{ name: 'file', filename: 'c.txt', value: 'c' }]),
      });
      expect(more.json.page.files).toHaveLength(3);
    });

    test.each([
      ['/files', 5],
      ['/files/file', {}],
      ['/files/file', { file: 'x' }],
      ['/files/file', { file: [] }],
      ['/files/file/name', { file: { data: 'aGk=' } }],
      ['/files/file/name', { file: { name: 5, data: 'aGk=' } }],
      ['/files/file/name', { file: { name: '..', data: 'aGk=' } }],
      ['/files/file/data', { file: { name: 'a' } }],
      ['/files/file/data', { file: { name: 'a', data: 'no base64!' } }],
      ['/files/file/data', { file: { name: 'a', data: { type: 'Buffer', data: [256] } } }],
      ['/files/file/data', { file: { name: 'a', data: { type: 'Buffer', data: ['1'] } } }],
      ['/files/file/data', { file: { name: 'a', data: { type: 'Other', data: [1] } } }],
      ['/files/file/size', { file: { name: 'a', data: 'aGk=', size: 3 } }],
      ['/files/file/size', { file: { name: 'a', data: 'aGk=', size: '2' } }],
      ['/files/file/md5', { file: { name: 'a', data: 'aGk=', md5: '00000000000000000000000000000000' } }],
      ['/files/file/md5', { file: { name: 'a', data: 'aGk=', md5: 5 } }],
      ['/files/file/mimetype', { file: { name: 'a', data: 'aGk=', mimetype: 5 } }],
      ['/files/thumbnail/data', { file: { name: 'a', data: 'aGk=' }, thumbnail: { name: 'b' } }],
    ])('%s is named when it is wrong', async (pointer, files) => {
      const answer = await post({ title: 'Wrong file', files });
      expect(answer.status, answer.text).toBe(400);
      expect(answer.json.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
    });

    test('without a token no byte of an upload is kept', async () => {
      const answer = await postParts(
        [
          { name: 'title', value: 'X' },
          { name: 'file', filename: 'x', value: 'unique bytes of nobody' },
        ],
        '',
      );
      expect(answer.status).toBe(401);
      const hash = createHash('sha256').update('unique bytes of nobody').digest('hex');
      expect(await wiki.app.service.files.store.find(hash)).toBeUndefined();
    });

    test('a file is served to whom its page is, and to nobody else', async () => {
      const { json } = await post({
        title: 'Members only',
        permissions: 770,
        files: { file: { name: 'm.txt', data: text('members') } },
      });
      const { full } = json.files[0].urls;
      const missing = await wiki.call('GET', '/files/nothing.txt');
      const anyone = await wiki.call('GET', full);
      expect([anyone.status, anyone.text]).toEqual([404, missing.text]);
      const member = await wiki.call('GET', full, { token: bob.token });
      expect([member.status, member.text, member.headers['cache-control']]).toEqual([
        200,
        'members',
        'private, no-store',
      ]);
      await wiki.call('POST', '/v1/pages/members-only', { token: ada.token, json: { permissions: 700 } });
      expect((await wiki.call('GET', full, { token: bob.token })).status).toBe(404);
      expect((await wiki.call('GET', full, { token: ada.token })).status).toBe(200);
      await wiki.call('POST', '/v1/pages/members-only', { token: ada.token, json: { permissions: 774 } });
      expect((await wiki.call('GET', full)).headers['cache-control']).toBe(
        'public, max-age=31536000, immutable',
      );
    });

    test('what could run in a browser is only downloaded, and everything is sandboxed', async () => {
      const active = {
        'x.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
        'x.html': '<!doctype html><script>alert(1)</script>',
        'x.xml': '<?xml version="1.0"?><a/>',
        'x.png': '<html><script>alert(1)</script>',
        'x.pdf': '%PDF-1.4\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj',
      };
      for (const [name, content] of Object.entries(active)) {
        const { json } = await post({
          title: `Active ${name}`,
          files: { file: { name, data: text(content) } },
        });
        const { headers } = await wiki.call('GET', json.files[0].urls.full);
        expect(headers['content-disposition'], name).toMatch(/^attachment;/);
        expect(headers['content-security-policy'], name).toContain('sandbox');
        expect(headers['x-content-type-options'], name).toBe('nosniff');
      }
      const plain = await post({
        title: 'Passive',
        files: { file: { name: 'Grüße".txt', data: text('Grüße') } },
      });
      const { headers } = await wiki.call('GET', plain.json.files[0].urls.full);
      expect(headers['content-disposition']).toMatch(/^inline; filename="[^"]*"; filename\*=UTF-8''Gr%C3%BC/);
      expect(headers['content-type']).toBe('text/plain; charset=utf-8');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
    });

    test('ranges, validators and HEAD work as in RFC 9110', async () => {
      const { json } = await post({
        title: 'Ranged',
        files: { file: { name: 'r.txt', data: text('0123456789') } },
      });
      const { full } = json.files[0].urls;
      const get = (headers: Record<string, string>) => wiki.call('GET', full, { headers });
      const whole = await get({});
      const etag = String(whole.headers.etag);
      expect(whole.headers).toMatchObject({ 'accept-ranges': 'bytes', 'content-length': '10' });
      for (const [range, expected, contentRange] of [
        ['bytes=0-3', '0123', 'bytes 0-3/10'],
        ['bytes=7-', '789', 'bytes 7-9/10'],
        ['bytes=-2', '89', 'bytes 8-9/10'],
        ['bytes=5-99', '56789', 'bytes 5-9/10'],
        ['bytes=-99', '0123456789', 'bytes 0-9/10'],
      ] as const) {
        const part = await get({ range });
        expect([part.status, part.text, part.headers['content-range']], range).toEqual([
          206,
          expected,
          contentRange,
        ]);
      }
      for (const range of ['bytes=10-', 'bytes=99-100', 'bytes=-0']) {
        const refused = await get({ range });
        expect([refused.status, refused.headers['content-range']], range).toEqual([416, 'bytes */10']);
      }
      for (const range of ['bytes=3-1', 'bytes=a-b', 'lines=1-2', 'bytes=0-1,3-4', 'bytes='])
        expect((await get({ range })).status, range).toBe(200);
      expect((await get({ range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
      expect((await get({ range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200);
      expect((await get({ 'if-none-match': etag })).status).toBe(304);
      expect((await get({ 'if-none-match': `W/${etag}` })).status).toBe(304);
      const head = await wiki.call('HEAD', full);
      expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '10']);
    });

    test.each(['..%2f..%2fkey', 'a%00b', 'a%5cb', `${'x'.repeat(3000)}`])(
      '/files/%s is not found',
      async (name) => {
        expect((await wiki.call('GET', `/files/${name}`)).status).toBe(404);
      },
    );
  });
});
