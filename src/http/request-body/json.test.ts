/** Streamed JSON parsing yields the same as parsing it as a whole. */

import { Readable } from 'node:stream';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StoredBlob } from '#core/model/file.ts';
import { effort } from '#test/support/effort.ts';
import { putFiles, readJson, type StoredUpload } from './json.ts';

const enough = { bytes: 1_000_000, textBytes: 1_000_000, values: 100_000 };

/** Stores bytes as their own hash, in hex. */
async function keep(bytes: AsyncIterable<Uint8Array>): Promise<StoredBlob> {
  const pieces: Uint8Array[] = [];
  // Writes each piece before it takes the next, like the store.
  for await (const piece of bytes) {
    await null;
    pieces.push(Uint8Array.from(piece));
  }
  const whole = Buffer.concat(pieces);
  return { hash: whole.toString('hex'), sizeBytes: whole.length, md5: '' };
}

/** Splits JSON into pieces of these lengths. */
function* cut(json: Buffer, lengths: number[]): Generator<Buffer> {
  for (let [at, i] = [0, 0]; at < json.length; i++) {
    const length = lengths[i % lengths.length] ?? json.length;
    yield json.subarray(at, at + length);
    at += length;
  }
}

async function read(json: string | Buffer, lengths: number[] = [], field?: string) {
  const pieces = Readable.from(cut(Buffer.from(json), lengths), { objectMode: false });
  const { text, blobs } = await readJson(pieces, enough, keep, field);
  return { text, blobs, fields: parsed(text, blobs, field) };
}

function parsed(text: string | undefined, blobs: Map<string, StoredUpload>, field?: string): unknown {
  let fields: unknown;
  try {
    fields = field === undefined ? JSON.parse(text ?? '') : { [field]: JSON.parse(text ?? '') };
  } catch {
    return 'malformed';
  }
  putFiles(fields, blobs);
  return fields;
}

const blobOf = (bytes: Buffer) => ({ hash: bytes.toString('hex'), sizeBytes: bytes.length, md5: '' });

/** Result for `data` if it is parsed as a whole. */
function meant(data: unknown): StoredBlob | undefined {
  if (typeof data === 'string') {
    const dense = data.replace(/[ \t\r\n]/g, '');
    const match = /^([\w+/-]*)=*$/.exec(dense);
    return match?.[1] !== undefined && match[1].length % 4 !== 1
      ? blobOf(Buffer.from(match[1], 'base64'))
      : undefined;
  }
  const { type, data: list } = (data ?? {}) as { type?: unknown; data?: unknown };
  const isList = type === 'Buffer' && Array.isArray(list);
  const areBytes = isList && list.every((byte) => Number.isInteger(byte) && byte >= 0 && byte < 256);
  return areBytes ? blobOf(Buffer.from(list)) : undefined;
}

// All ways to escape the same string.
const escaped = (text: string, ways: number[]) =>
  `"${Array.from(text, (character, i) => {
    const way = ways[i % ways.length];
    if (way === 1) return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
    if (way === 2 && character === '/') return '\\/';
    return JSON.stringify(character).slice(1, -1);
  }).join('')}"`;

const ways = fc.array(fc.constantFrom(0, 0, 0, 1, 2), { minLength: 1, maxLength: 7 });
const base64 = fc
  .tuple(fc.uint8Array({ maxLength: 60 }), fc.constantFrom('base64', 'base64url'), fc.nat(3))
  .map(([bytes, form, spaces]) =>
    Buffer.from(bytes)
      .toString(form as BufferEncoding)
      .replace(/(.{13})/g, `$1${['', '\n', ' ', '\r\n'][spaces]}`),
  );
const nearlyBase64 = fc
  .tuple(base64, fc.constantFrom('=', 'A', '!', 'é', '"', '\\', '=A', '=='), fc.nat(80))
  .map(([text, more, at]) => text.slice(0, at) + more + text.slice(at));
const string = fc.oneof(base64, nearlyBase64, fc.string({ unit: 'binary' }));
const numbers = fc.array(
  fc.oneof({ weight: 20, arbitrary: fc.nat(255) }, fc.constantFrom(256, -1, 1.5, null, 'x', [])),
  {
    maxLength: 30,
  },
);
const value = fc.oneof(
  string,
  numbers,
  fc.jsonValue({ maxDepth: 2 }),
  numbers.map((data) => ({ type: 'Buffer', data })),
  numbers.map((data) => ({ data, type: 'Buffer' })),
  fc.record({ type: fc.constantFrom('Buffer', 'Other'), data: fc.oneof(string, numbers) }),
);
const name = fc.constantFrom('name', 'data', 'file', 'files', 'thumbnail', '*', '', 'data,data', '__proto');
const file = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ name: fc.string(), data: value, size: fc.nat() }, { requiredKeys: ['data'] }),
  },
  fc.dictionary(name, value),
  value,
);
const attachment = fc.oneof(
  { weight: 5, arbitrary: fc.record({ file, thumbnail: file }, { requiredKeys: ['file'] }) },
  fc.dictionary(name, file),
  value,
);
const body = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      title: fc.string({ unit: 'binary' }),
      files: fc.oneof(attachment, fc.array(attachment)),
    }),
  },
  fc.dictionary(name, attachment),
);

/** The result of `JSON.stringify` with different white space and escapes. */
function written(given: unknown, spaces: string, ways: number[]): string {
  if (typeof given === 'string') return escaped(given, ways);
  if (Array.isArray(given))
    return `[${spaces}${given.map((one) => written(one, spaces, ways)).join(`${spaces},${spaces}`)}${spaces}]`;
  if (typeof given !== 'object' || given === null) return JSON.stringify(given);
  const entries = Object.entries(given).map(
    ([name, one]) => `${escaped(name, ways)}${spaces}:${written(one, spaces, ways)}`,
  );
  return `{${entries.join(`,${spaces}`)}}`;
}

function parsedAtOnce(json: string): unknown {
  try {
    return withMeanings(JSON.parse(json));
  } catch {
    return 'malformed';
  }
}

/** Hashes of everything that might be bytes, at any position. */
function allMeant(given: unknown): (string | undefined)[] {
  const inner = typeof given === 'object' && given !== null ? Object.values(given).flatMap(allMeant) : [];
  const ofNumbers = Array.isArray(given) ? meant({ type: 'Buffer', data: given }) : meant(given);
  return [ofNumbers?.hash, ...inner];
}

/** Replaces the same values as `putFiles`. */
function withMeanings(fields: unknown): unknown {
  const copy = structuredClone(fields) as { files?: unknown };
  const list = Array.isArray(copy?.files) ? copy.files : [copy?.files];
  for (const one of list) {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) continue;
    for (const key of ['file', 'thumbnail'])
      if (typeof one[key] === 'object' && one[key] !== null && !Array.isArray(one[key]))
        one[key].data = meant(one[key].data);
  }
  return copy;
}

test('the result does not depend on formatting or on how the input is split', async () => {
  await fc.assert(
    fc.asyncProperty(
      body,
      fc.constantFrom('', ' ', '\n\t '),
      ways,
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
      async (given, spaces, ways, lengths) => {
        const json = written(given, spaces, ways);
        expect((await read(json, lengths)).fields).toEqual(withMeanings(JSON.parse(json)));
      },
    ),
    { numRuns: effort(1000, 3000) },
  );
});

test('malformed input stays malformed, and an interrupted upload stores no file', async () => {
  const junk = fc.constantFrom('', '', '"', '}', ']', ',', '\\', '[', '1');
  await fc.assert(
    fc.asyncProperty(body, fc.nat(), junk, async (given, at, junk) => {
      const json = JSON.stringify(given);
      const broken = json.slice(0, at % json.length) + junk;
      const { fields, blobs } = await read(broken, [1 + (at % 30)]);
      expect(fields).toEqual(parsedAtOnce(broken));
      const kept = [...blobs.values()].map(({ hash }) => hash);
      if (junk === '') for (const hash of kept) expect(allMeant(given)).toContain(hash);
    }),
    { numRuns: effort(1000, 3000) },
  );
});

test('base64 is accepted in all common forms', async () => {
  const bytes = Buffer.from([255, 239, 190, 251, 255]);
  const forms = [
    '/+++-_8=',
    '/+++-_8',
    '_---+_8====',
    '\\/+++\\n-_8=',
    ' /+\\u002b+-_\\t8 = \\r\\n',
    '/+++\n-_8=',
  ];
  for (const data of forms)
    for (const length of [1, 2, 3, 5, 100]) {
      const { blobs } = await read(`{"files":{"file":{"data":"${data}"}}}`, [length]);
      expect([...blobs.values()], data).toEqual([blobOf(bytes)]);
    }
  for (const data of [
    '/+++-',
    '/+=+',
    '/+++-_8=A',
    '/+++\\u01418',
    '/++\\\\+',
    '/++!',
    '/++\u00e9',
    '/+++ŁŁŁŁ',
    '\u00a0/+++',
  ]) {
    const { blobs, fields } = await read(`{"files":[{"thumbnail":{"data":"${data}"}}]}`, [7]);
    expect([blobs.size, fields], data).toEqual([0, { files: [{ thumbnail: {} }] }]);
  }
});

test('only whole JSON numbers from 0 to 255 are bytes', async () => {
  const listed = (list: string) => read(`{"files":{"file":{"data":{"type":"Buffer","data":${list}}}}}`, [1]);
  expect([...(await listed('[ 0,255 , 7\n]')).blobs.values()]).toEqual([blobOf(Buffer.from([0, 255, 7]))]);
  for (const list of [
    '[01]',
    '[1,]',
    '[,1]',
    '[1,,2]',
    '[1 2]',
    '[1.0]',
    '[1e1]',
    '[-1]',
    '[256]',
    '[+1]',
    '[1',
  ]) {
    const { blobs, fields } = await listed(list);
    expect(blobs.size, list).toBe(0);
    expect(fields === 'malformed' || fields, list).toSatisfy(
      (told) => told === true || JSON.stringify(told) === '{"files":{"file":{}}}',
    );
  }
});

test('one field of a form is read like a JSON value', async () => {
  const { fields } = await read(
    '[{"file":{"data":"YQ=="}},{"file":{"data":{"type":"Buffer","data":[7]}}}]',
    [],
    'files',
  );
  expect(fields).toEqual({
    files: [{ file: { data: blobOf(Buffer.from('a')) } }, { file: { data: blobOf(Buffer.from([7])) } }],
  });
});

test('the names of stored bytes cannot be forged: names in the input are ignored', async () => {
  const first = await read('{"files":{"file":{"data":"YQ=="}}}');
  const [name] = first.blobs.keys();
  for (const data of [
    `["${name}"]`,
    `{"type":"Buffer","data":"${name}"}`,
    `{"type":"Buffer","data":["${name}"]}`,
    '{"hash":"61","sizeBytes":1,"md5":""}',
  ]) {
    const { fields } = await read(`{"files":{"file":{"data":${data}}}}`);
    expect(fields, data).toEqual({ files: { file: {} } });
  }
});

test('input that would be slow as objects is refused before any are built', async () => {
  const refusal = (json: string, limits = enough) =>
    readJson(Readable.from(cut(Buffer.from(json), [65_536]), { objectMode: false }), limits, keep).then(
      ({ text }) => text?.length,
      ({ code, message, errors }) => [code, message, errors?.[0]?.pointer],
    );
  const nested = (levels: number) => `{"data":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  expect(await refusal(nested(101))).toEqual(nested(101).length);
  expect(await refusal(nested(102))).toEqual([
    'invalid',
    'The body is nested more than 100 levels deep.',
    '/data',
  ]);
  expect(await refusal(`{"data":${'{"a":'.repeat(150_000)}`)).toContain('invalid');
  expect(await refusal(`{"data":[${'{},'.repeat(50_000)}`)).toContain(
    'A body can have at most 100000 values.',
  );
  expect(await refusal(`{"data":[${'1,'.repeat(100_000)}`)).toContain('too-large');
  const limits = { ...enough, bytes: 3_000_000 };
  expect(await refusal(`{"title":"${'x'.repeat(1_000_000)}"}`, limits)).toEqual([
    'too-large',
    'The request without its files can have at most 1 MB.',
    undefined,
  ]);
  const large = (length: number) => `{"files":{"file":{"data":"${'x'.repeat(length)}"}}}`;
  expect(await refusal(large(2_800_000), limits)).toBeLessThan(100);
  expect(await refusal(large(3_000_000), limits)).toEqual([
    'too-large',
    'A request can have at most 3 MB.',
    undefined,
  ]);
  const many = (files: number) => `{"files":[${'{"file":{"data":""}},'.repeat(files)}`;
  expect(await refusal(many(200))).toBeGreaterThan(0);
  expect(await refusal(many(201))).toEqual(['too-large', 'A request can have at most 100 files.', undefined]);
});

test('a name or a string may have any length and content', async () => {
  const long = 'ab"\\\n€'.repeat(10_000);
  const given = {
    [long]: { files: 1 },
    title: long,
    files: { [long]: { data: 'YQ==' }, file: { name: long } },
  };
  for (const length of [1000, 65_536])
    expect((await read(JSON.stringify(given), [length])).fields).toEqual({
      ...given,
      files: { ...given.files, file: { name: long, data: undefined } },
    });
});

test('invalid UTF-8 is reported as such, and errors of the storage are passed on', async () => {
  expect((await read(Buffer.from([0x22, 0xff, 0x22]))).text).toBeUndefined();
  const pieces = Readable.from([Buffer.from('{"files":{"file":{"data":"YQ=="}}}')]);
  await expect(readJson(pieces, enough, () => Promise.reject(new Error('No room')))).rejects.toThrow(
    'No room',
  );
});

test('an interrupted request is reported and not stored, not even in part', async () => {
  async function* breakingOff(): AsyncGenerator<Buffer> {
    yield Buffer.from('{"files":{"file":{"data":"YWFhYWFh');
    throw new Error('aborted');
  }
  let kept = 0;
  const counted = async (bytes: AsyncIterable<Uint8Array>) => {
    const blob = await keep(bytes);
    kept++;
    return blob;
  };
  await expect(readJson(Readable.from(breakingOff()), enough, counted)).rejects.toMatchObject({
    code: 'invalid',
    message: 'The body is incomplete.',
  });
  expect(kept).toBe(0);
});

test('even if more input is ready, others run after each quarter of a megabyte', async () => {
  const [mostAtOnce, lengths] = [256 * 1024 + 65_536, [] as number[]];
  async function* ready(): AsyncGenerator<Buffer> {
    let inTurn = 0;
    yield Buffer.from('{"title":"');
    for (let i = 0; i < 100; i++) {
      if (inTurn === 0) yieldToEventLoop().then(() => (inTurn = 0));
      inTurn += 65_536;
      lengths.push(inTurn);
      yield Buffer.alloc(65_536, 'a');
    }
    yield Buffer.from('"}');
  }
  const limits = { ...enough, bytes: 10_000_000, textBytes: 10_000_000 };
  const { text } = await readJson(Readable.from(ready(), { highWaterMark: 1 }), limits);
  expect(text?.length).toBe(6_553_612);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(mostAtOnce);
});
