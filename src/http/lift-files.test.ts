/** Large JSON is read by another thread, and comes out as small JSON would. */
import { expect, test } from 'vitest';
import { createLiftFiles } from './lift-files.ts';

const liftFiles = createLiftFiles();
const lift = (fields: object) => liftFiles([Buffer.from(JSON.stringify(fields))]);

test('the bytes of files are taken out of JSON, in either form, and everything else stays', async () => {
  const data = Buffer.alloc(2_000_000, 'leaf ');
  const { text, bytes } = await lift({
    title: 'Oak',
    body: 'data',
    files: [
      { file: { name: 'a', data: data.toString('base64'), md5: 'x' } },
      { file: { name: 'b', data: { type: 'Buffer', data: [1, 2, 255] } }, thumbnail: { data: 'no base64!' } },
      'neither',
    ],
  });
  expect(JSON.parse(text ?? '')).toEqual({
    title: 'Oak',
    body: 'data',
    files: [
      { file: { name: 'a', md5: 'x' } },
      { file: { name: 'b' }, thumbnail: { data: 'no base64!' } },
      'neither',
    ],
  });
  const [first, second, third] = bytes;
  expect(data.equals(first ?? new Uint8Array())).toBe(true);
  expect([...(second ?? [])]).toEqual([1, 2, 255]);
  expect(third).toBe(null);
});

test('text that was cut within characters is whole', async () => {
  const json = Buffer.from('"Bäume 🌳 im Frühjahr"');
  const pieces = Array.from(json, (byte) => Buffer.from([byte]));
  expect((await liftFiles(pieces)).text).toBe(json.toString());
  expect((await liftFiles(pieces.slice(0, 3))).text).toBeUndefined();
});

test('what is no UTF-8 or no JSON is told as such, and the next body is read', async () => {
  expect(await liftFiles([Buffer.from([0x22, 0xff, 0x22])])).toEqual({ text: undefined, bytes: [] });
  expect(await liftFiles([Buffer.from('{"files":')])).toEqual({ text: '{"files":', bytes: [] });
  expect(await liftFiles([Buffer.from('{"__proto__":1}')])).toEqual({ text: '{"__proto__":1}', bytes: [] });
});

test('bodies wait for each other, sixteen at most', async () => {
  const ends = await Promise.allSettled(Array.from({ length: 18 }, (_, i) => lift({ title: `${i}` })));
  expect(ends.slice(0, 17).map(({ status }) => status)).toEqual(Array(17).fill('fulfilled'));
  expect(ends[17]).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
});
