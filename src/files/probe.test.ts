/** Malicious images, and real files of common kinds. */
import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import type { FileStore } from '#core/ports/file-store.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { openDisk } from './disk.ts';
import { createProbe } from './probe.ts';

const probe = createProbe();
let store: FileStore;
beforeAll(async () => {
  store = await openDisk(await temporaryFolder());
});

const keep = async (bytes: Uint8Array) => (await store.put(bytes, 1e9)).hash;
const picture = (width = 80, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: '#1d6b4f' } });

/** Makes a PNG whose header declares any size, with arbitrary pixel data. */
function pngOf(width: number, height: number, pixels: Uint8Array): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const chunk = (kind: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(kind), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', new Uint8Array()),
  ]);
}

test.each(['png', 'jpeg', 'gif', 'webp', 'avif'] as const)('%s has a size and a thumbnail', async (kind) => {
  const hash = await keep(await picture()[kind]().toBuffer());
  expect(await probe.identify(store, hash, 'x.html')).toEqual({
    mime: `image/${kind}`,
    dimensions: { width: 80, height: 40 },
  });
  expect(await probe.thumbnail(store, hash)).toMatchObject({ mime: 'image/webp', width: 80, height: 40 });
});

test('a small file that declares billions of pixels is measured by its header and not unpacked', async () => {
  const hash = await keep(pngOf(60_000, 60_000, Buffer.alloc(1000)));
  const before = process.memoryUsage().rss;
  expect(await probe.identify(store, hash, 'a.png')).toEqual({ mime: 'image/png', dimensions: null });
  expect(await probe.thumbnail(store, hash)).toBeUndefined();
  expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
});

test('SVG is never rendered, not even as an uploaded thumbnail', async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="/etc/passwd"/></svg>';
  for (const text of [svg, `\ufeff${svg}`, `<?xml version="1.0"?>${svg}`]) {
    const hash = await keep(Buffer.from(text));
    expect(await probe.identify(store, hash, 'a.png')).toEqual({ mime: 'image/svg+xml', dimensions: null });
    expect(await probe.thumbnail(store, hash)).toBeUndefined();
  }
  await expect(sharp(Buffer.from(svg)).metadata()).rejects.toThrow();
});

test('the first bytes of an image and no image are a download', async () => {
  const png = await picture().png().toBuffer();
  for (const bytes of [
    Buffer.concat([png.subarray(0, 16), randomBytes(500)]),
    Buffer.concat([Buffer.from('GIF89a'), Buffer.from([0, 1, 2]), Buffer.from('<script>')]),
    Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), randomBytes(300)]),
  ]) {
    const hash = await keep(bytes);
    expect(await probe.identify(store, hash, 'a.png')).toEqual({
      mime: 'application/octet-stream',
      dimensions: null,
    });
    expect(await probe.thumbnail(store, hash)).toBeUndefined();
  }
});

test('an image cut anywhere or with flipped bits never ends in an exception', async () => {
  for (const kind of ['png', 'jpeg', 'gif', 'webp', 'avif'] as const) {
    const whole = await picture(200, 100)[kind]().toBuffer();
    for (let part = 1; part <= 8; part++) {
      const cut = whole.subarray(0, Math.floor((whole.length * part) / 9));
      const flipped = Buffer.from(whole);
      const at = Math.floor((whole.length * part) / 9);
      flipped[at] = (flipped[at] ?? 0) ^ 0xff;
      for (const bytes of [cut, flipped]) {
        const hash = await keep(bytes);
        await probe.identify(store, hash, 'a');
        await probe.thumbnail(store, hash);
      }
    }
  }
});

test('binary data after a long head of text is not text; a letter cut at the end of the head is', async () => {
  const text = Buffer.from('é'.repeat(50_000));
  const odd = Buffer.concat([Buffer.from('a'), text]);
  const plain = { mime: 'text/plain; charset=utf-8', dimensions: null };
  expect(await probe.identify(store, await keep(odd), 'a.txt')).toEqual(plain);
  for (const tail of [Buffer.from([0, 1, 2]), Buffer.from([0xff]), Buffer.from([0xc3])]) {
    expect(await probe.identify(store, await keep(Buffer.concat([odd, tail])), 'a.txt')).toEqual({
      mime: 'application/octet-stream',
      dimensions: null,
    });
  }
});

test('thirty concurrent images are all processed', async () => {
  const hashes = await Promise.all(
    Array.from({ length: 30 }, async (_, i) =>
      keep(
        await picture(500 + i, 100)
          .png()
          .toBuffer(),
      ),
    ),
  );
  const small = await Promise.all(hashes.map((hash) => probe.thumbnail(store, hash)));
  for (const thumbnail of small) expect(thumbnail?.width).toBe(400);
});

test('bytes that are not stored are an error, not an empty text', async () => {
  await expect(probe.identify(store, '0'.repeat(64), 'a.txt')).rejects.toThrow('No bytes are stored');
  expect(await probe.thumbnail(store, '0'.repeat(64))).toBeUndefined();
});

test('a picture counts by its decoded size: two bytes a sample, and an AVIF twice', async () => {
  // 3,200 pixels with three samples of eight bits take 9,600 bytes.
  const room = createProbe({ maxPixels: 3200 });
  const pixels = picture(80, 40);
  const deep = await pixels.clone().toColourspace('rgb16').png().toBuffer();
  expect(await sharp(deep).metadata()).toMatchObject({ depth: 'ushort' });
  const small = { width: 80, height: 40 };
  for (const [bytes, dimensions] of [
    [await pixels.clone().png().toBuffer(), small],
    [deep, null],
    [await pixels.clone().avif().toBuffer(), null],
  ] as const) {
    const hash = await keep(bytes);
    expect(await room.identify(store, hash, 'x.png')).toMatchObject({ dimensions });
    expect((await room.thumbnail(store, hash)) === undefined).toBe(dimensions === null);
    expect(await probe.identify(store, hash, 'x.png')).toMatchObject({ dimensions: small });
  }
});
