/** Failures of a bucket: each error is one clear sentence, and nothing stays half done. */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { GetObjectCommand, PutObjectCommand, S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import { afterEach, expect, test, vi } from 'vitest';
import { type Storage, startStorage } from '#test/support/s3.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { openDisk } from './disk.ts';
import { openS3 } from './s3.ts';

const limit = 100_000_000;

afterEach(() => vi.unstubAllEnvs());

/** Client that bypasses our own store, as another program would. */
function clientOf({ settings }: Storage): S3Client {
  const { endpoint, region } = settings;
  return new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
}

test('an unusable bucket is refused with a sentence that says why', async () => {
  await using storage = await startStorage();
  const { settings } = storage;
  const folder = await temporaryFolder();
  const refused = (changed: Partial<typeof settings>) =>
    expect(openS3({ ...settings, ...changed }, folder, { answerMs: 2000 })).rejects;
  await refused({ bucket: 'maps' }).toMatchObject({
    code: 'unavailable',
    message: `there is no bucket “maps” at ${settings.endpoint}.`,
  });
  await refused({ endpoint: 'http://127.0.0.1:9' }).toThrow(
    /^the bucket “files” at http:\/\/127\.0\.0\.1:9 cannot be used \(.*ECONNREFUSED.*\)\.$/,
  );
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'another');
  await refused({}).toThrow('does not accept these credentials (SignatureDoesNotMatch)');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'another');
  await refused({}).toThrow('does not accept these credentials (InvalidAccessKeyId)');
  vi.stubEnv('AWS_ACCESS_KEY_ID', undefined);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', undefined);
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  await refused({}).toThrow('there are no credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.');
});

test('storage that does not respond is skipped, and used again when it does', async () => {
  await using storage = await startStorage();
  const folder = await temporaryFolder();
  const { hash } = await (await openS3(storage.settings, folder)).put(Buffer.from('before'), limit);
  const store = await openS3(storage.settings, folder, { answerMs: 200 });
  storage.fate = () => 'hang';
  await expect(openS3(storage.settings, folder, { answerMs: 200 })).rejects.toThrow('cannot be used (');
  await expect(store.find(hash)).rejects.toMatchObject({ code: 'unavailable' });
  await expect(store.open(hash)).rejects.toMatchObject({ code: 'unavailable' });
  await expect(store.put(Buffer.from('meanwhile'), limit)).rejects.toMatchObject({ code: 'unavailable' });
  await expect(store.remove(hash)).rejects.toMatchObject({ code: 'unavailable' });
  await expect(store.list()[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'unavailable' });
  expect(await readdir(folder)).toEqual([]);

  storage.fate = () => 'pass';
  expect((await buffer((await store.open(hash)) ?? Readable.from([]))).toString()).toBe('before');
});

test('a connection that breaks once is not noticed', async () => {
  await using storage = await startStorage();
  const store = await openS3(storage.settings, await temporaryFolder());
  const broken = new Set<string>();
  storage.fate = ({ method, url = '' }) => {
    const part = `${method} ${/partNumber=\d+/.exec(url)?.[0] ?? ''}`;
    if (broken.has(part)) return 'pass';
    broken.add(part);
    return 'drop';
  };
  const { hash } = await store.put(Buffer.alloc(12_000_000, 'x'), limit);
  expect(await store.find(hash)).toMatchObject({ sizeBytes: 12_000_000 });
  expect(broken.size).toBeGreaterThan(4);
});

test('a failed upload leaves nothing, neither here nor there', async () => {
  await using storage = await startStorage();
  const folder = await temporaryFolder();
  const store = await openS3(storage.settings, folder);
  storage.fate = ({ url = '' }) => (url.includes('partNumber=3') ? 'drop' : 'pass');
  const bytes = Buffer.alloc(20_000_000, 'y');
  await expect(store.put(bytes, limit)).rejects.toMatchObject({ code: 'unavailable' });
  expect(await readdir(folder)).toEqual([]);
  expect(await store.list()[Symbol.asyncIterator]().next()).toMatchObject({ done: true });
  // The upload has been aborted, so no part can be added any more.
  const part = storage.requests.find((request) => request.includes('partNumber=1')) ?? '';
  const [, Key, UploadId] = /\/files\/([^?]+)\?.*uploadId=([^&]+)/.exec(part) ?? [];
  expect(
    storage.requests.some((one) => one.startsWith('DELETE') && one.includes(`uploadId=${UploadId}`)),
  ).toBe(true);
  const late = new UploadPartCommand({
    Bucket: 'files',
    Key,
    UploadId,
    PartNumber: 4,
    Body: Buffer.from('z'),
  });
  await expect(clientOf(storage).send(late)).rejects.toMatchObject({ name: 'NoSuchUpload' });

  storage.fate = () => 'pass';
  const { hash } = await store.put(bytes, limit);
  expect(await store.find(hash)).toMatchObject({ sizeBytes: 20_000_000 });
});

test.each(['cut', 'stall'] as const)(
  'bytes that end with a %s cause an error, instead of counting as complete',
  async (fate) => {
    await using storage = await startStorage();
    const { hash } = await (await openS3(storage.settings, await temporaryFolder())).put(
      Buffer.alloc(1_000_000, 'x'),
      limit,
    );
    const store = await openS3(storage.settings, await temporaryFolder(), { answerMs: 200 });
    storage.fate = () => fate;
    await expect(buffer((await store.open(hash)) ?? Readable.from([]))).rejects.toMatchObject({
      code: 'unavailable',
    });
  },
);

test('our own files in a large bucket are listed, page by page', async () => {
  await using storage = await startStorage();
  const store = await openS3({ ...storage.settings, prefix: '' }, await temporaryFolder());
  const other = clientOf(storage);
  const hashes = Array.from({ length: 1001 }, (_, index) => index.toString(16).padStart(64, '0'));
  const keys = hashes.map((hash) => `00/00/${hash}`);
  keys.push('notes.txt', `00/${hashes[0]}`, `elsewhere/00/00/${hashes[0]}`, `01/00/${hashes[0]}`);
  for (let at = 0; at < keys.length; at += 50) {
    const put = (Key: string) => other.send(new PutObjectCommand({ Bucket: 'files', Key, Body: 'x' }));
    await Promise.all(keys.slice(at, at + 50).map(put));
  }
  storage.requests.length = 0;
  const listed: string[] = [];
  for await (const { hash } of store.list()) listed.push(hash);
  expect(listed.sort()).toEqual(hashes);
  expect(storage.requests.length).toBe(2);
});

test('files copied from a disk, name by name, are found in the bucket', async () => {
  await using storage = await startStorage();
  const folder = await temporaryFolder();
  const { hash } = await (await openDisk(folder)).put(Buffer.from('moved'), limit);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const Key = `wiki/${relative(folder, path)}`;
    const put = new PutObjectCommand({ Bucket: 'files', Key, Body: await readFile(path) });
    await clientOf(storage).send(put);
  }
  const store = await openS3(storage.settings, await temporaryFolder());
  expect((await buffer((await store.open(hash)) ?? Readable.from([]))).toString()).toBe('moved');
  for await (const listed of store.list()) expect(listed.hash).toBe(hash);
});

test('HTML in the bucket is not shown as a page when read by another way', async () => {
  await using storage = await startStorage();
  const store = await openS3(storage.settings, await temporaryFolder());
  const { hash } = await store.put(Buffer.from('<script>alert(1)</script>'), limit);
  const Key = `wiki/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`;
  const { ContentType } = await clientOf(storage).send(new GetObjectCommand({ Bucket: 'files', Key }));
  expect(ContentType).toBe('application/octet-stream');
});
