/** A whole wiki with its files in a bucket: readers, writers and operators notice no difference from a disk. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sweepFiles } from '#core/files/sweep-files.ts';
import { startWiki } from '../support/cli.ts';
import { baseEnvironment } from '../support/environment.ts';
import { multipartOf, startApp, type TestApp } from '../support/http.ts';
import { type Storage, startStorage } from '../support/s3.ts';

const day = 24 * 60 * 60 * 1000;

describe('over HTTP', () => {
  let storage: Storage;
  let wiki: TestApp;
  let ada: { token: string };
  let picture: Buffer;
  beforeAll(async () => {
    storage = await startStorage();
    wiki = await startApp(storage.env);
    ada = await wiki.member('Ada');
    const background = '#1d6b4f';
    picture = await sharp({ create: { width: 900, height: 450, channels: 3, background } })
      .png()
      .toBuffer();
  });
  afterAll(async () => {
    await wiki.close();
    await storage[Symbol.asyncDispose]();
  });

  async function upload(filename: string, value: Buffer, fields: Record<string, string> = {}) {
    const parts = [
      ...Object.entries({ title: filename, ...fields }).map(([name, value]) => ({ name, value })),
      { name: 'file', filename, value },
    ];
    return wiki.call('POST', '/v1/pages', { token: ada.token, ...multipartOf(parts) });
  }

  const read = (url: string, headers: Record<string, string> = {}) =>
    wiki.app.server.inject({ method: 'GET', url, headers });

  test('a picture and its thumbnail are served whole, in ranges and by their tags', async () => {
    const { json } = await upload('oak.png', picture);
    const { full, thumbnail } = json.files[0].urls;
    const whole = await read(full);
    expect(whole.statusCode).toBe(200);
    expect(whole.rawPayload.equals(picture)).toBe(true);
    expect(whole.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(picture.length),
      'cache-control': 'public, max-age=31536000, immutable, s-maxage=60',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    });
    const part = await read(full, { range: 'bytes=10-19' });
    expect(part.statusCode).toBe(206);
    expect(part.headers['content-range']).toBe(`bytes 10-19/${picture.length}`);
    expect(part.rawPayload).toEqual(picture.subarray(10, 20));
    const end = await read(full, { range: 'bytes=-5' });
    expect(end.rawPayload).toEqual(picture.subarray(-5));
    expect((await read(full, { range: `bytes=${picture.length}-` })).statusCode).toBe(416);
    const small = await read(thumbnail);
    expect(small.headers['content-length']).toBe(String(small.rawPayload.length));
    expect(await sharp(small.rawPayload).metadata()).toMatchObject({
      format: 'webp',
      width: 400,
      height: 200,
    });

    storage.requests.length = 0;
    const tag = String(small.headers.etag);
    expect((await read(thumbnail, { 'if-none-match': tag })).statusCode).toBe(304);
    // Storage is not accessed for a file that the reader has cached.
    expect(storage.requests).toEqual([]);
  });

  test('a file of an unreadable page is not found, and its storage is not even asked', async () => {
    const { json } = await upload('secret.png', picture, { permissions: '700' });
    const { full, thumbnail } = json.files[0].urls;
    storage.requests.length = 0;
    for (const url of [full, thumbnail]) {
      expect((await wiki.call('GET', url)).status).toBe(404);
    }
    expect(storage.requests).toEqual([]);
    const own = await read(full, { authorization: `Bearer ${ada.token}` });
    expect(own.rawPayload.equals(picture)).toBe(true);
    expect(own.headers['cache-control']).toBe('private, no-store');
  });

  test('a file in many parts is served as it was uploaded', async () => {
    const bytes = Buffer.alloc(17_000_000, 'leaves and ');
    const { json } = await upload('leaves.txt', bytes);
    expect(storage.requests.filter((request) => request.includes('partNumber=')).length).toBeGreaterThan(3);
    expect((await read(json.files[0].urls.full)).rawPayload.equals(bytes)).toBe(true);
  });

  test('while the storage does not respond, pages are read and files are temporarily refused', async () => {
    const { json } = await upload('elm.png', picture);
    storage.fate = () => 'drop';
    const refused = await wiki.call('GET', json.files[0].urls.full);
    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toBe('5');
    expect(refused.headers['cache-control']).toBe('no-store');
    expect(refused.headers).not.toHaveProperty('etag');
    expect(refused.headers).not.toHaveProperty('content-disposition');
    expect(refused.json.detail).toBe('The file storage does not respond. Try again in a moment.');
    // The log gives the operator the reason.
    expect(wiki.logged.findLast((line) => line.includes('unavailable'))).toMatch(
      /"level":40.*socket hang up.*"unavailable"/,
    );
    const unsaved = await upload('ash.txt', Buffer.from('another'));
    expect(unsaved.status).toBe(503);
    expect((await wiki.call('GET', `/v1/pages${json.path}`)).status).toBe(200);
    expect((await wiki.call('GET', '/v1/pages/ash-txt')).status).toBe(404);
    storage.fate = () => 'pass';
    expect((await upload('ash.txt', Buffer.from('another'))).json.path).toBe('/ash-txt');
    expect((await wiki.call('GET', json.files[0].urls.full)).status).toBe(200);
  });

  test('a sweep removes files that no page names', async () => {
    const { store, files } = wiki.app.service;
    const { json } = await upload('beech.txt', Buffer.from('of a page'));
    const { hash } = await files.store.put(Buffer.from('of no page'), 1000);
    expect(await sweepFiles(store, files.store, Date.now())).toBe(0);
    expect(await sweepFiles(store, files.store, Date.now() + 2 * day)).toBeGreaterThan(0);
    expect(await files.store.find(hash)).toBeUndefined();
    expect((await read(json.files[0].urls.full)).payload).toBe('of a page');
  });
});

test('import, check, backup and restore work alike, from a disk to a bucket and back', async () => {
  await using storage = await startStorage();
  await using onDisk = await startWiki();
  await onDisk.administrator();
  const source = join(onDisk.folder, 'source');
  mkdirSync(join(source, 'Oak'), { recursive: true });
  writeFileSync(join(source, 'Oak.wikitext'), 'An oak. [[File:leaf.txt]]');
  writeFileSync(join(source, 'Oak', 'leaf.txt'), 'a leaf');
  const first = join(onDisk.folder, 'first.tar.gz');
  expect(await onDisk.coppice(['import', source, '--parent', '/'])).toMatchObject({ code: 0 });
  expect(await onDisk.coppice(['backup', first])).toMatchObject({ code: 0 });

  await using inBucket = await startWiki('SQLite', storage.env);
  const restored = await inBucket.coppice(['restore', first]);
  expect(restored.code, restored.err).toBe(0);
  expect(await inBucket.coppice(['check'])).toMatchObject({ code: 0 });
  writeFileSync(join(source, 'Oak', 'acorn.txt'), 'an acorn');
  expect(await inBucket.coppice(['import', source, '--parent', '/'])).toMatchObject({ code: 0 });
  const files = async () => {
    await using opened = await inBucket.open();
    const hashes: string[] = [];
    for await (const { hash } of opened.files.store.list()) hashes.push(hash);
    return hashes;
  };
  expect(await files()).toHaveLength(2);
  const second = join(onDisk.folder, 'second.tar.gz');
  expect(await inBucket.coppice(['backup', second])).toMatchObject({ code: 0 });

  // Restore refuses a prefix that holds files, but accepts another one in the same bucket.
  await using third = await startWiki('SQLite', storage.env);
  expect((await third.coppice(['restore', second])).err).toContain('FILES');
  await using beside = await startWiki('SQLite', { ...storage.env, FILES: 's3:files/other' });
  expect(await beside.coppice(['restore', second])).toMatchObject({ code: 0 });
  expect(await beside.coppice(['check'])).toMatchObject({ code: 0 });
  await using back = await startWiki();
  expect(await back.coppice(['restore', second])).toMatchObject({ code: 0 });
  expect((await back.coppice(['check'])).out).toContain('files: 2');

  // Missing objects are detected.
  {
    await using opened = await inBucket.open();
    await opened.files.store.remove((await files())[0] ?? '');
  }
  const checked = await inBucket.coppice(['check']);
  expect(checked.code).toBe(1);
  expect(checked.out).toContain('are missing');
  expect((await inBucket.coppice(['backup', join(onDisk.folder, 'lacking.tar.gz')])).code).toBe(1);
});

test('an interrupted restore leaves nothing in the bucket', async () => {
  await using storage = await startStorage();
  await using onDisk = await startWiki();
  await onDisk.administrator();
  const source = join(onDisk.folder, 'source');
  mkdirSync(join(source, 'Oak'), { recursive: true });
  writeFileSync(join(source, 'Oak.wikitext'), 'An oak.');
  for (const name of ['a', 'b', 'c', 'd']) writeFileSync(join(source, 'Oak', `${name}.txt`), name);
  const file = join(onDisk.folder, 'backup.tar.gz');
  expect(await onDisk.coppice(['import', source, '--parent', '/'])).toMatchObject({ code: 0 });
  expect(await onDisk.coppice(['backup', file])).toMatchObject({ code: 0 });
  await using inBucket = await startWiki('SQLite', storage.env);
  let puts = 0;
  storage.fate = ({ method }) => (method === 'PUT' && ++puts > 2 ? 'drop' : 'pass');
  const broken = await inBucket.coppice(['restore', file]);
  expect(broken).toMatchObject({
    code: 1,
    err: 'The file storage does not respond. Try again in a moment.\n',
  });
  storage.fate = () => 'pass';
  expect(await inBucket.coppice(['restore', file])).toMatchObject({ code: 0 });
});

test('a missing bucket stops the start and every command with one sentence', async () => {
  await using storage = await startStorage();
  await using wiki = await startWiki('SQLite', { ...storage.env, FILES: 's3:maps' });
  const sentence = `FILES: there is no bucket “maps” at ${storage.settings.endpoint}.\n`;
  for (const command of ['serve', 'check']) {
    expect(await wiki.coppice([command])).toEqual({ code: 1, out: '', err: sentence });
  }
});

test('without its bucket a process on PostgreSQL exits, because nothing stays open', async () => {
  await using storage = await startStorage();
  await using wiki = await startWiki('PostgreSQL', { ...storage.env, FILES: 's3:maps' });
  for (const command of ['serve', 'check']) {
    const env = { ...baseEnvironment, ...wiki.env };
    const root = join(import.meta.dirname, '../..');
    const child = spawn(process.execPath, ['src/main.ts', command], { cwd: root, env, stdio: 'ignore' });
    const hanging = setTimeout(() => child.kill('SIGKILL'), 30_000);
    expect(await once(child, 'exit'), command).toEqual([1, null]);
    clearTimeout(hanging);
  }
}, 90_000);
