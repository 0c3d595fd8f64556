import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import type { FileStore } from '#core/ports/file-store.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { openDisk } from './disk.ts';
import { createProbe } from './probe.ts';
import { isActive, sniff } from './sniff.ts';

let store: FileStore;
beforeAll(async () => {
  store = await openDisk(await temporaryFolder());
});

const limit = 10_000_000;
const bytesOf = async (source: AsyncIterable<Uint8Array> | undefined) => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source ?? []) chunks.push(chunk);
  return Buffer.concat(chunks);
};

describe('kinds of files', () => {
  const html = '<script>alert(1)</script>';
  test.each([
    ['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'image/svg+xml'],
    ['<?xml version="1.0"?><!-- a --><svg/>', 'image/svg+xml'],
    ['\ufeff  <svg>', 'image/svg+xml'],
    ['<!DOCTYPE svg PUBLIC "x"><x/>', 'image/svg+xml'],
    ['<!doctype html><p>', 'text/html'],
    [html, 'text/html'],
    [`<!-- x -->\n${html}`, 'text/html'],
    ['<?xml version="1.0"?><x xmlns="y"/>', 'application/xml'],
    ['%PDF-1.7\n', 'application/pdf'],
  ])('%j is %s and can only be downloaded, whatever its name is', async (text, mime) => {
    const found = await sniff(Buffer.from(text), 'kitten.png', true);
    expect(found).toBe(mime);
    expect(isActive(found)).toBe(true);
  });

  test('UTF-16 markup is markup', async () => {
    expect(await sniff(Buffer.from(`\ufeff${html}`, 'utf16le'), 'a.txt', true)).toBe('text/html');
  });

  test.each([
    ['Just text', 'a.txt', 'text/plain; charset=utf-8'],
    ['print(1 < 2)', 'a.py', 'text/plain; charset=utf-8'],
    ['a,b', 'a.csv', 'text/csv; charset=utf-8'],
    ['{"a":1}', 'a.json', 'application/json'],
    ['ü', 'a.html', 'text/plain; charset=utf-8'],
  ])('%j called %s is %s and can be shown', async (text, name, mime) => {
    expect(await sniff(Buffer.from(text), name, true)).toBe(mime);
    expect(isActive(mime)).toBe(false);
  });

  test('unknown bytes are a download', async () => {
    const found = await sniff(Buffer.from([0, 1, 2, 255, 254]), 'a.txt', true);
    expect(found).toBe('application/octet-stream');
    expect(isActive(found)).toBe(true);
    expect(isActive('application/x-anything-new')).toBe(true);
  });

  test('a head that ends within a character is still text', async () => {
    const head = Buffer.from('aü').subarray(0, 2);
    expect(await sniff(head, 'a.txt', false)).toBe('text/plain; charset=utf-8');
    expect(await sniff(head, 'a.txt', true)).toBe('application/octet-stream');
  });
});

describe('pictures', () => {
  const probe = createProbe({ maxPixels: 4_000_000 });
  const picture = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#1d6b4f' } });

  test('have their size and a thumbnail that fits 400 pixels', async () => {
    const { hash } = await store.put(await picture(1200, 600).png().toBuffer(), limit);
    expect(await probe.identify(store, hash, 'a.txt')).toEqual({
      mime: 'image/png',
      dimensions: { width: 1200, height: 600 },
    });
    const thumbnail = await probe.thumbnail(store, hash);
    expect(thumbnail).toMatchObject({ mime: 'image/webp', width: 400, height: 200 });
    const meta = await sharp(await bytesOf(await store.open(thumbnail?.hash ?? ''))).metadata();
    expect(meta).toMatchObject({ format: 'webp', width: 400, height: 200 });
  });

  test('small ones are not enlarged', async () => {
    const { hash } = await store.put(await picture(30, 20).jpeg().toBuffer(), limit);
    expect(await probe.thumbnail(store, hash)).toMatchObject({ width: 30, height: 20 });
  });

  test('are rotated as EXIF says, and the thumbnail has no camera metadata', async () => {
    const bytes = await picture(800, 400)
      .jpeg()
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { hash } = await store.put(bytes, limit);
    expect(await probe.identify(store, hash, 'a.jpg')).toMatchObject({
      dimensions: { width: 400, height: 800 },
    });
    const thumbnail = await probe.thumbnail(store, hash);
    expect(thumbnail).toMatchObject({ width: 200, height: 400 });
    const meta = await sharp(await bytesOf(await store.open(thumbnail?.hash ?? ''))).metadata();
    expect(meta.exif).toBeUndefined();
    expect(meta.orientation).toBeUndefined();
  });

  test('that are animated get their first frame as thumbnail', async () => {
    const frames = await Promise.all(
      ['#f00', '#00f'].map((background) =>
        sharp({ create: { width: 50, height: 40, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const { hash } = await store.put(gif, limit);
    expect(await probe.identify(store, hash, 'a.gif')).toEqual({
      mime: 'image/gif',
      dimensions: { width: 50, height: 40 },
    });
    const thumbnail = await probe.thumbnail(store, hash);
    const meta = await sharp(await bytesOf(await store.open(thumbnail?.hash ?? ''))).metadata();
    expect(meta.pages ?? 1).toBe(1);
  });

  test('with too many pixels, broken bytes and drawings get no thumbnail and cause no exception', async () => {
    const bomb = await picture(3000, 3000).png({ compressionLevel: 9 }).toBuffer();
    const broken = (await picture(100, 100).png().toBuffer()).subarray(0, 60);
    for (const bytes of [bomb, broken, Buffer.from('<svg/>'), Buffer.from(''), Buffer.from('text')]) {
      const { hash } = await store.put(bytes, limit);
      expect((await probe.identify(store, hash, 'a.png')).dimensions).toBeNull();
      expect(await probe.thumbnail(store, hash)).toBeUndefined();
    }
  });
});
