/** Images in other widths: size, format, headers, access, and the fallback where no narrower one is made. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { effort } from '../support/effort.ts';
import { engines, startApp, type TestApp } from '../support/http.ts';

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="10"><rect/></svg>');
const modern = 'image/avif,image/webp,image/*,*/*;q=0.8';

const picture = (width: number, height: number, background = '#385') =>
  sharp({ create: { width, height, channels: 3, background } });

/** Images do not depend on the engine: tested on one, and on both before a release. */
describe.each(effort(engines.slice(0, 1), engines))('on %s', (engine) => {
  let wiki: TestApp;
  let ada: { id: number; token: string };
  let bob: typeof ada;
  let root: typeof ada;

  beforeAll(async () => {
    wiki = await startApp({}, { engine });
    ada = await wiki.member('Ada');
    bob = await wiki.member('Bob');
    root = await wiki.member('Root', { isAdmin: true });
  });
  afterAll(() => wiki.close());

  let number = 0;
  const upload = async (name: string, bytes: Buffer, more: Record<string, unknown> = {}) => {
    const files = { file: { name, data: bytes.toString('base64') } };
    const page = await wiki.page(ada.token, { title: `Picture ${number++}`, files, ...more });
    return { ...page, url: page.files[0].urls.full as string, name: page.files[0].name as string };
  };
  /** Injects the request, for the raw bytes. */
  const get = async (url: string, headers: Record<string, string> = {}, token?: string) => {
    const authorization: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
    const answer = await wiki.app.server.inject({ url, headers: { ...authorization, ...headers } });
    return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload };
  };

  test.each([
    ['image/webp,*/*', 'webp'],
    [modern, 'heif'],
    ['image/avif;q=0, image/webp', 'webp'],
    ['image/avif;q=0.2, IMAGE/WEBP;q=0.9', 'webp'],
    ['*/*', 'jpeg'],
    ['image/webp;q=0.0,image/*', 'jpeg'],
  ])('Accept: %s gives %s, as narrow as requested', async (accept, format) => {
    const { url } = await upload('wide.jpg', await picture(2000, 1000).jpeg().toBuffer());
    for (const width of [320, 640, 960, 1280, 1920]) {
      const { status, headers, bytes } = await get(`${url}?w=${width}`, { accept });
      expect(status).toBe(200);
      expect(await sharp(bytes).metadata()).toMatchObject({ format, width, height: width / 2 });
      expect(headers).toMatchObject({
        'content-type': `image/${format === 'heif' ? 'avif' : format}`,
        'content-length': String(bytes.length),
        vary: expect.stringMatching(/, Accept$/),
        'cache-control': 'public, max-age=31536000, immutable, s-maxage=60',
        'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
        'cross-origin-resource-policy': 'cross-origin',
        'surrogate-key': expect.stringContaining('page-'),
        etag: expect.stringMatching(/^W\/"[0-9a-f]{64}-\d+-(avif|webp|own)"$/),
      });
    }
  });

  test('each picture keeps its format if the reader names no other', async () => {
    for (const format of ['png', 'webp', 'avif'] as const) {
      const { url } = await upload(`own.${format}`, await picture(700, 350).toFormat(format).toBuffer());
      const { headers, bytes } = await get(`${url}?w=320`);
      expect(headers['content-type']).toBe(`image/${format}`);
      expect(await sharp(bytes).metadata()).toMatchObject({ width: 320, height: 160 });
    }
  });

  test('a rotated picture is turned upright first, and loses its camera metadata', async () => {
    const turned = await picture(1000, 500)
      .withExif({ IFD0: { Copyright: 'Ada' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { url } = await upload('side.jpg', turned);
    const { bytes } = await get(`${url}?w=320`);
    const { width, height, exif, orientation } = await sharp(bytes).metadata();
    expect({ width, height, exif, orientation }).toEqual({
      width: 320,
      height: 640,
      exif: undefined,
      orientation: undefined,
    });
  });

  test('other widths are refused with a list of the possible ones', async () => {
    const { url } = await upload('a.png', await picture(700, 10).png().toBuffer());
    for (const width of ['0', '321', '-320', '320px', '', '1e3', 'NaN', '99999999999999999999']) {
      const { status, json } = await wiki.call('GET', `${url}?w=${width}`);
      expect([status, json.errors], width).toEqual([
        400,
        [{ pointer: '?w', detail: 'Expected 320, 640, 960, 1280 or 1920.', code: 'wrong-type' }],
      ]);
    }
    expect((await wiki.call('GET', `${url}?w=320&w=640`)).status).toBe(400);
  });

  test('narrow pictures, animations and other files are served unchanged', async () => {
    const frames = Buffer.concat([Buffer.alloc(700 * 10 * 3, 10), Buffer.alloc(700 * 10 * 3, 200)]);
    const moving = sharp(frames, { raw: { width: 700, height: 20, channels: 3, pageHeight: 10 } });
    const bomb = await picture(700, 10).png().toBuffer();
    for (const [name, bytes, type] of [
      ['narrow.png', await picture(320, 10).png().toBuffer(), 'image/png'],
      [
        'moving.gif',
        await moving
          .clone()
          .gif({ delay: [90, 90] })
          .toBuffer(),
        'image/gif',
      ],
      [
        'moving.webp',
        await moving
          .clone()
          .webp({ delay: [90, 90] })
          .toBuffer(),
        'image/webp',
      ],
      ['drawing.svg', svg, 'image/svg+xml'],
      ['text.txt', Buffer.from('text'), 'text/plain; charset=utf-8'],
      ['broken.png', bomb.subarray(0, bomb.length - 30), 'image/png'],
    ] as const) {
      const { url } = await upload(name, bytes);
      const plain = await get(url);
      for (const accept of ['*/*', modern]) {
        const { status, headers, bytes: sent } = await get(`${url}?w=320`, { accept });
        expect([status, sent.equals(bytes), headers['content-type']], name).toEqual([200, true, type]);
        expect([headers.etag, headers['content-disposition']]).toEqual([
          plain.headers.etag,
          plain.headers['content-disposition'],
        ]);
        expect(headers.vary).toMatch(/, Accept$/);
        const tag = String(headers.etag);
        expect((await get(`${url}?w=320`, { accept, 'if-none-match': tag })).status).toBe(304);
      }
      const part = await get(`${url}?w=320`, { range: 'bytes=0-2' });
      expect([part.status, part.bytes.equals(bytes.subarray(0, 3))]).toEqual([206, true]);
    }
  });

  test('a known copy is not sent again, and HEAD sends none', async () => {
    const { url } = await upload('a.png', await picture(900, 90).png().toBuffer());
    const first = await get(`${url}?w=640`, { accept: modern });
    const headers = { accept: modern, 'if-none-match': String(first.headers.etag) };
    const again = await wiki.call('GET', `${url}?w=640`, { headers });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', first.headers.etag]);
    expect((await get(`${url}?w=320`, headers)).status).toBe(200);
    expect((await get(`${url}?w=640`, { ...headers, accept: '*/*' })).status).toBe(200);
    const head = await wiki.call('HEAD', `${url}?w=640`, { headers: { accept: modern } });
    expect([head.status, head.text, head.headers['content-length']]).toEqual([
      200,
      '',
      String(first.bytes.length),
    ]);
    const part = await get(`${url}?w=640`, { accept: modern, range: 'bytes=0-2' });
    expect([part.status, part.bytes.equals(first.bytes), part.headers['accept-ranges']]).toEqual([
      200,
      true,
      'none',
    ]);
  });

  test('a copy is for readers of the file, from the next request on, replaced files too', async () => {
    const first = await upload('a.png', await picture(800, 80, '#123').png().toBuffer(), {
      permissions: 770,
    });
    const other = (await picture(800, 80, '#456').png().toBuffer()).toString('base64');
    const edited = await wiki.call('POST', `/v1/pages${first.path}`, {
      token: ada.token,
      json: { files: { file: { name: 'a.png', data: other } } },
    });
    const missing = await wiki.call('GET', '/files/nothing.png?w=320');
    for (const url of [first.url, edited.json.page.files[0].urls.full]) {
      const { status, headers } = await get(`${url}?w=320`, {}, bob.token);
      expect([status, headers['cache-control'], headers['surrogate-key']]).toEqual([
        200,
        'private, no-store',
        undefined,
      ]);
      const ifNoneMatch = { 'if-none-match': String(headers.etag) };
      const anyone = await wiki.call('GET', `${url}?w=320`, { headers: ifNoneMatch });
      expect([anyone.status, anyone.text]).toEqual([404, missing.text]);
    }
    await wiki.call('POST', `/v1/pages${first.path}`, { token: ada.token, json: { permissions: 700 } });
    expect((await get(`${first.url}?w=320`, {}, bob.token)).status).toBe(404);
    expect((await get(`${first.url}?w=320`, {}, ada.token)).status).toBe(200);
  });

  test('pages offer the widths that suit the shown size, and each is served', async () => {
    const wide = await upload('wide.jpg', await picture(3000, 1500).jpeg().toBuffer(), {
      body: '[[File:wide.jpg|thumb|300px|A]] [[File:wide.jpg|100px]] [[File:wide.jpg]]',
    });
    const { markup } = (await wiki.call('GET', `/v1/pages${wide.path}`)).json;
    const offered = [...String(markup).matchAll(/ srcset="([^"]*)" sizes="([^"]*)"/g)].map(
      ([, set, sizes]) => [set, sizes],
    );
    const at = (width: number) => `${wide.url}?w=${width} ${width}w`;
    const all = [320, 640, 960, 1280, 1920].map(at);
    expect(offered).toEqual([
      [[at(320), at(640)].join(', '), '(max-width: 300px) 100vw, 300px'],
      [[...all, `${wide.url} 3000w`].join(', '), '(max-width: 3000px) 100vw, 3000px'],
    ]);
    for (const url of offered.flatMap(([set = '']) => set.split(', ').map((one) => one.split(' ')[0] ?? '')))
      expect((await get(url, { accept: modern })).status, url).toBe(200);
    const page = await wiki.app.server.inject({ url: wide.path, headers: { accept: 'text/html' } });
    expect(page.body).toContain(` srcset="${at(320)}, ${at(640)}"`);
    for (const [name, bytes] of [
      ['narrow.png', await picture(320, 10).png().toBuffer()],
      ['still.gif', await picture(900, 90).gif().toBuffer()],
      ['drawing.svg', svg],
    ] as const) {
      const { path } = await upload(name, bytes, { body: `[[File:${name}]]` });
      const plain = (await wiki.call('GET', `/v1/pages${path}`)).json.markup;
      expect([plain.includes('<img'), plain.includes('srcset')], name).toEqual([true, false]);
    }
  });

  test('erasing a file erases its copies from the disk', async () => {
    const noise = sharp({
      create: {
        width: 900,
        height: 300,
        channels: 3,
        background: '#000',
        noise: { type: 'gaussian', mean: 128, sigma: 50 },
      },
    });
    const { url, path, name } = await upload('face.png', await noise.png().toBuffer());
    const { bytes } = await get(`${url}?w=640`, { accept: modern });
    const again = await get(`${url}?w=640`, { accept: modern });
    expect(again.bytes.equals(bytes)).toBe(true);
    expect(onDisk(bytes)).toBe(true);
    const json = { path, files: [name], reason: 'A face' };
    expect((await wiki.call('POST', '/v1/erase', { token: root.token, json })).status).toBe(200);
    expect(onDisk(bytes)).toBe(false);
    expect((await get(`${url}?w=640`, { accept: modern }, ada.token)).status).toBe(404);
  });
});

/** Whether an unlinked cache file that is open in this process contains the bytes. */
function onDisk(bytes: Buffer): boolean {
  return readdirSync('/proc/self/fd').some((fd) => {
    try {
      const isCache = /\/cache\/[0-9a-f]+ \(deleted\)$/.test(readlinkSync(`/proc/self/fd/${fd}`));
      return isCache && readFileSync(`/proc/self/fd/${fd}`).includes(bytes);
    } catch {
      // The descriptor was closed meanwhile.
      return false;
    }
  });
}
