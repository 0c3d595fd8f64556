/** Files of pages: upload, storage, access and delivery. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, multipartOf, startApp, type TestApp } from '../support/http.ts';

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

  const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex');

  test('base64 and the Buffer form give the same file, with everything that the interface promises', async () => {
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
            md5: md5(png).toUpperCase(),
            mimetype: 'image/png',
            encoding: '7bit',
          },
        },
      });
      expect(status, text).toBe(200);
      const [file] = json.files;
      expect(file).toMatchObject({
        filename: 'Green field.png',
        mime: 'image/png',
        size: png.length,
        page: json.id,
        uploader: ada.id,
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

  test('files can be sent as parts, several at once, and stay when an edit sends none', async () => {
    const { json } = await postParts([
      { name: 'title', value: 'Parts' },
      { name: 'file', filename: 'a.png', type: 'image/png', value: png },
      { name: 'file', filename: 'b.txt', type: 'text/plain', value: 'hello' },
      { name: 'thumbnail', filename: 't.png', type: 'image/png', value: png },
    ]);
    expect(json.files.map(({ filename, mime }: Record<string, string>) => [filename, mime])).toEqual([
      ['a.png', 'image/png'],
      ['b.txt', 'text/plain'],
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
  ])('an invalid %s is named', async (pointer, files) => {
    const answer = await post({ title: 'Wrong file', files });
    expect(answer.status, answer.text).toBe(400);
    expect(answer.json.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
  });

  test('stored bytes cannot be accessed by naming their hash', async () => {
    const kept = await wiki.app.service.files.store.put(Buffer.from('of somebody else'), 100);
    for (const data of [kept, [kept], { type: 'Buffer', data: kept }, { type: 'Buffer', data: [kept] }]) {
      const files = { file: { name: 'theirs.txt', data } };
      const form = { title: 'Theirs', files: JSON.stringify(files) };
      const padded = { title: 'Theirs', body: 'x'.repeat(70_000), files };
      const answers = [
        await post({ title: 'Theirs', files }),
        await post(padded),
        await wiki.call('POST', '/v1/pages', { token: ada.token, form }),
      ];
      for (const { status, json } of answers)
        expect([status, json.errors?.[0]?.pointer]).toEqual([400, '/files/file/data']);
    }
  });

  test('without a token no byte of an upload is stored', async () => {
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

  test('a file is served to the readers of its page, and to nobody else', async () => {
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
      'public, max-age=31536000, immutable, s-maxage=60',
    );
  });

  test('shared caches revalidate a public file each minute, can purge it by its page, and store no other', async () => {
    const files = { file: { name: 'a.txt', data: Buffer.from('seen').toString('base64') } };
    const page = await wiki.page(ada.token, { title: 'Hidden later', files });
    const { full } = page.files[0].urls;
    const open = await wiki.call('GET', full);
    expect(open.headers).toMatchObject({
      'cache-control': expect.stringContaining('s-maxage=60'),
      'surrogate-key': `wiki page-${page.id}`,
      'cache-tag': `wiki,page-${page.id}`,
    });
    await wiki.call('POST', '/v1/pages/hidden-later', { token: ada.token, json: { permissions: 700 } });
    const again = await wiki.call('GET', full, { headers: { 'if-none-match': String(open.headers.etag) } });
    expect([again.status, again.headers['surrogate-key']]).toEqual([404, undefined]);
    const own = await wiki.call('GET', full, { token: ada.token });
    expect([own.status, own.headers['cache-control'], own.headers['surrogate-key']]).toEqual([
      200,
      'private, no-store',
      undefined,
    ]);
  });

  test('files that could run in a browser can only be downloaded, and everything is sandboxed', async () => {
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

  test('ranges, validators and HEAD follow RFC 9110', async () => {
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
      ['Bytes=7-', '789', 'bytes 7-9/10'],
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

  test('bytes whose length differs from their row end the connection and are logged', async () => {
    const { json } = await post({
      title: 'Damaged',
      files: { file: { name: 'd.txt', data: text('0123456789'.repeat(1000)) } },
    });
    const { name, urls } = json.files[0];
    const hash = (await wiki.app.service.store.readAsSystem().files.find(name))?.file.hash ?? '';
    const path = join(wiki.folder, 'files', hash.slice(0, 2), hash.slice(2, 4), hash);
    const { server } = wiki.app;
    if (!server.server.listening) await server.listen({ port: 0, host: '127.0.0.1' });
    const { port } = server.server.address() as AddressInfo;
    const read = async () => (await fetch(`http://127.0.0.1:${port}${urls.full}`)).text();
    expect((await read()).length).toBe(10_000);
    for (const [length, what] of [
      [500, 'shorter'],
      [500_000, 'longer'],
    ] as const) {
      writeFileSync(path, 'x'.repeat(length));
      const outcome = await read().then(
        (text) => text.length,
        (error: Error) => error.name,
      );
      // A longer file is refused before the first byte if the first chunk shows it.
      expect(outcome, what).not.toBe(10_000);
      if (what === 'shorter') expect(outcome).toBe('TypeError');
      await expect
        .poll(() => wiki.logged.some((line) => line.includes(`is ${what} than its row says`)))
        .toBe(true);
    }
  });

  test.each(['..%2f..%2fkey', 'a%00b', 'a%5cb', `${'x'.repeat(3000)}`])(
    '/files/%s is not found',
    async (name) => {
      expect((await wiki.call('GET', `/files/${name}`)).status).toBe(404);
    },
  );
});
