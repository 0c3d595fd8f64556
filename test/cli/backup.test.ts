/** Backups: consistent while the wiki is written, restorable into either database, and never a way in for attackers. */
import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, gunzipSync, gzipSync } from 'node:zlib';
import { Secret, TOTP } from 'otpauth';
import { extract, pack } from 'tar-stream';
import { describe, expect, test } from 'vitest';
import { formatName, formatVersion, readManifest } from '#cli/archive/format.ts';
import type { OpenWiki } from '#cli/command/context.ts';
import { createRenderer } from '#core/content/render.ts';
import { setPassphrase } from '#core/members/manage-members.ts';
import { createPage } from '#core/pages/create-page.ts';
import { deletePage } from '#core/pages/delete-page.ts';
import { editPage } from '#core/pages/edit-page.ts';
import { searchPages } from '#core/search/search-pages.ts';
import { createAuthenticator } from '../support/authenticator.ts';
import { engines, startWiki, type TestWiki } from '../support/cli.ts';
import { startApp } from '../support/http.ts';
import type { EngineName } from '../support/postgres.ts';
import { claimsFor } from '../support/sessions.ts';

const ada = { memberId: 1, name: 'Ada Lovelace', isAdmin: true };
const across = engines.flatMap((from) => engines.map((to): [EngineName, EngineName] => [from, to]));

describe.each(across)('from %s to %s', (from, to) => {
  test('a backup made during writes restores one consistent moment, and the wiki continues from there', async () => {
    await using wiki = await startWiki(from);
    await wiki.administrator();
    await using opened = await wiki.open();
    const { store, files } = opened;
    const attachment = async (text: string) => {
      const blob = await files.store.put(Buffer.from(text), 1000);
      return { file: { filename: 'note.txt', blob } };
    };
    await createPage(
      { store, files, actor: ada, now: Date.now() },
      { title: 'Oak', body: '[[Elm]] [[Height: 20 m]]' },
    );

    // Pages are created, edited and given files during the backup; each body records the progress.
    const file = join(wiki.folder, 'backup.tar.gz');
    let isDone = false;
    let written = 0;
    const writer = (async () => {
      for (; !isDone || written < 5; written++) {
        const input = {
          title: `Leaf ${written}`,
          parent: '/oak',
          files: [await attachment(`note ${written}`)],
        };
        await createPage({ store, files, actor: ada, now: Date.now() }, input);
        await editPage({ store, files, renderer: createRenderer(''), actor: ada, now: Date.now() }, '/oak', {
          body: `[[Leaf ${written}]] ocean`,
        });
      }
    })();
    while (written < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    const made = await wiki.coppice(['backup', file]);
    isDone = true;
    await writer;
    expect(made.code, made.err).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(wiki.folder).filter((name) => name.includes('.part'))).toEqual([]);

    await using other = await startWiki(to);
    const restored = await other.coppice(['restore', file]);
    expect(restored.code, restored.err).toBe(0);
    expect(await other.coppice(['check'])).toMatchObject({ code: 0 });
    await using target = await other.open();
    const oak = await target.store.readAsSystem().pages.findByPath('/oak');
    const leaves = await target.store.readAsSystem().pages.load(await leafIds(target), 'none');
    // The backup is of one moment: /oak names the last leaf or the one before it.
    const last = Number(/Leaf (\d+)/.exec(oak?.content.body ?? '')?.[1]);
    expect([last + 1, last + 2]).toContain(leaves.length);
    for (const [index, leaf] of leaves.entries()) {
      expect(leaf.files).toHaveLength(1);
      const bytes = await target.files.store.open(leaf.files[0]?.hash ?? '');
      expect(await text(bytes)).toBe(`note ${index}`);
    }
    // Derived data is restored as well, and new IDs follow the old ones.
    const found = await searchPages(target.store.readAs(ada), {
      text: 'ocean',
      limit: 10,
      offset: 0,
      history: 'none',
    });
    expect(found.total).toBe(1);
    const fresh = await createPage(
      { store: target.store, files: target.files, actor: ada, now: Date.now() },
      { title: 'Fresh' },
    );
    expect(fresh.id).toBeGreaterThan(Math.max(...leaves.map(({ id }) => id)));
    const key = (wiki: TestWiki) => join(wiki.env.COPPICE_DATA ?? '', 'key');
    if (existsSync(key(wiki))) expect(readFileSync(key(other))).toEqual(readFileSync(key(wiki)));
  });
});

test.each(across)(
  'the trash is backed up, and pages can be restored from it: from %s to %s',
  async (from, to) => {
    await using wiki = await startWiki(from);
    await wiki.administrator();
    {
      await using opened = await wiki.open();
      const { store, files } = opened;
      const blob = await files.store.put(Buffer.from('a note'), 1000);
      const attached = [{ file: { filename: 'note.txt', blob } }];
      await createPage(
        { store, files, actor: ada, now: 1 },
        { title: 'Oak', body: 'first', files: attached },
      );
      await editPage({ store, files, renderer: createRenderer(''), actor: ada, now: 2 }, '/oak', {
        body: 'second',
      });
      await createPage({ store, files, actor: ada, now: 3 }, { title: 'Acorn', parent: '/oak' });
      await deletePage({ store, actor: ada, now: 4 }, '/oak', { subtree: true });
    }
    const file = join(wiki.folder, 'backup.tar.gz');
    expect(await wiki.coppice(['backup', file])).toMatchObject({ code: 0 });

    await using other = await startWiki(to);
    expect(await other.coppice(['restore', file])).toMatchObject({ code: 0, err: '' });
    expect(await other.coppice(['check'])).toMatchObject({ code: 0 });
    expect((await other.coppice(['trash', 'restore', '1'])).out).toBe('/oak\n');
    await using opened = await other.open();
    const reader = opened.store.readAsSystem();
    const oak = await reader.pages.findByPath('/oak');
    const [whole] = await reader.pages.load([oak?.id ?? 0], 'all');
    expect(whole?.history.map(({ content }) => content.body)).toEqual(['first', 'second']);
    expect(await text(await opened.files.store.open(whole?.files[0]?.hash ?? ''))).toBe('a note');
    expect((await reader.pages.findByPath('/oak/acorn'))?.title).toBe('Acorn');
  },
);

test.each(across.filter(([from, to]) => from !== to))(
  'credentials, roles, blocks, protection and reviewed marks are backed up: from %s to %s',
  async (from, to) => {
    const origin = 'https://wiki.test';
    const pass = 'correct horse battery staple';
    const device = createAuthenticator(origin, { counts: true });
    await using wiki = await startWiki(from, { COPPICE_URL: origin });
    await using other = await startWiki(to, { COPPICE_URL: origin });
    await wiki.administrator();
    const app = await startApp(wiki.env);
    const { store, tokens, passphrases } = app.app.service;
    const now = Date.now();
    const mia = await app.member('Mia', { isAdmin: true });
    await setPassphrase({ store, passphrases, now }, mia.email, pass);
    const token = await tokens.issue({ ...(await claimsFor(store, mia.id)), signedInAt: now });
    const send = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH', url: string, json?: unknown) => {
      const answer = await app.call(method, url, { token, ...(json === undefined ? {} : { json }) });
      expect(answer.status, `${url}: ${answer.text}`).toBeLessThan(300);
      return answer.json;
    };
    const { options } = await send('POST', '/v1/members/me/passkeys/options');
    await send('POST', '/v1/members/me/passkeys', { credential: device.create(options), name: 'Phone' });
    const { secret } = await send('POST', '/v1/members/me/second-factor');
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const { recoveryCodes } = await send('POST', '/v1/members/me/second-factor/confirm', {
      code: totp.generate({ timestamp: now }),
    });
    const eve = await app.member('Eve');
    await send('PATCH', `/v1/members/${eve.id}`, { role: 'reader' });
    await send('POST', `/v1/members/${eve.id}/block`, { reason: 'Advertisements' });
    await app.page(token, { title: 'Oak' });
    await send('PUT', '/v1/protection/oak', { level: 'administrators', reason: 'Vandals' });
    const ann = await app.member('Ann');
    await app.page(ann.token, { title: 'Elm' });
    const [{ id: event }] = (await send('GET', '/v1/changes?before=latest&reviewed=false')).changes;
    await send('POST', '/v1/changes/reviewed', { ids: [event], reviewed: true });
    await app.close();

    const file = join(wiki.folder, 'backup.tar.gz');
    expect(await wiki.coppice(['backup', file])).toMatchObject({ code: 0 });
    expect(await other.coppice(['restore', file])).toMatchObject({ code: 0, err: '' });
    const restored = await startApp(other.env);
    try {
      const post = (url: string, json: unknown) => restored.call('POST', url, { json });
      const asked = await post('/v1/members/auth/passkey/options', undefined);
      const credential = device.get(asked.json.options);
      const byPasskey = await post('/v1/members/auth/passkey', { credential });
      expect(byPasskey.status, byPasskey.text).toBe(200);
      const signIn = async (code?: string) =>
        (await post('/v1/members/auth', { email: mia.email, pass, code })).status;
      // The code that enabled the second factor stays used after the restore.
      expect([await signIn(), await signIn(totp.generate({ timestamp: now }))]).toEqual([401, 401]);
      expect([await signIn(recoveryCodes[0]), await signIn(recoveryCodes[0])]).toEqual([200, 401]);
      const get = async (url: string) => (await restored.call('GET', url, { token: byPasskey.text })).json;
      expect(await get(`/v1/blocks`)).toMatchObject([
        { member: { id: eve.id }, reason: 'Advertisements', until: null },
      ]);
      expect((await get(`/v1/members/${eve.id}`)).role).toBe('reader');
      expect(await get('/v1/protection/oak')).toMatchObject({
        level: 'administrators',
        reason: 'Vandals',
      });
      // Ann's change was the only one to review: changes of administrators need no review.
      expect((await get('/v1/changes?before=latest&reviewed=false')).changes).toEqual([]);
    } finally {
      await restored.close();
    }
  },
);

test('a backup contains the key, and keeps an existing file unless told to overwrite it', async () => {
  await using wiki = await filled();
  await wiki.coppice(['key', 'rotate']);
  const file = join(wiki.folder, 'backup.tar.gz');
  expect((await wiki.coppice(['backup', file])).code).toBe(0);
  const before = readFileSync(file);
  const refused = await wiki.coppice(['backup', file]);
  expect(refused.code).toBe(1);
  expect(refused.err).toContain('--force');
  expect(readFileSync(file)).toEqual(before);
  expect((await wiki.coppice(['backup', file, '--force'])).code).toBe(0);
  expect((await wiki.coppice(['backup', join(wiki.folder, 'no/such/folder.tar.gz')])).err).toContain(
    'does not exist',
  );

  await using other = await startWiki();
  expect((await other.coppice(['restore', file])).code).toBe(0);
  const key = (wiki: TestWiki) => readFileSync(join(wiki.env.COPPICE_DATA ?? '', 'key'), 'utf8');
  expect(key(other)).toBe(key(wiki));
  expect(statSync(join(other.env.COPPICE_DATA ?? '', 'key')).mode & 0o777).toBe(0o600);
});

test('a backup is not restored into a wiki that contains anything', async () => {
  await using wiki = await filled();
  const file = join(wiki.folder, 'backup.tar.gz');
  await wiki.coppice(['backup', file]);
  const before = await contents(wiki);
  const refused = await wiki.coppice(['restore', file]);
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toContain('empty wiki');
  expect(await contents(wiki)).toEqual(before);
});

test('a file without bytes does not stop the backup, which reports it', async () => {
  await using wiki = await filled();
  {
    await using opened = await wiki.open();
    for await (const hash of opened.store.maintenance.fileHashes()) await opened.files.store.remove(hash);
  }
  const file = join(wiki.folder, 'backup.tar.gz');
  const made = await wiki.coppice(['backup', file]);
  expect(made.code).toBe(1);
  expect(made.err).toContain('1 files have no bytes');
  await using other = await startWiki();
  expect((await other.coppice(['restore', file])).code).toBe(0);
});

describe('a damaged or hostile backup is refused and nothing is changed', () => {
  interface Part {
    name: string;
    type?: 'file' | 'symlink' | 'link' | 'directory';
    linkname?: string;
    bytes: Buffer;
  }
  const evil = Buffer.from('evil');

  test.each<[string, (parts: Part[]) => Part[]]>([
    ['a path out of the folder', (parts) => [...parts, { name: '../../evil', bytes: evil }]],
    [
      'a path out of the folder, dressed as a file',
      (parts) => [...parts, { name: `files/../${'a'.repeat(64)}`, bytes: evil }],
    ],
    ['an absolute path', (parts) => [...parts, { name: '/tmp/coppice-evil', bytes: evil }]],
    ['a backslash', (parts) => [...parts, { name: '..\\evil', bytes: evil }]],
    ['a name without end', (parts) => [...parts, { name: 'x'.repeat(5000), bytes: evil }]],
    [
      'a symbolic link',
      (parts) => [
        ...parts,
        { name: `files/${'a'.repeat(64)}`, type: 'symlink', linkname: '/etc/passwd', bytes: Buffer.alloc(0) },
      ],
    ],
    [
      'a hard link',
      (parts) => [...parts, { name: 'key', type: 'link', linkname: '/etc/passwd', bytes: Buffer.alloc(0) }],
    ],
    ['a folder', (parts) => [...parts, { name: 'files/', type: 'directory', bytes: Buffer.alloc(0) }]],
    ['a file that no row names', (parts) => [...parts, { name: `files/${'a'.repeat(64)}`, bytes: evil }]],
    ['a part twice', (parts) => [...parts, ...parts.slice(-1)]],
    [
      'other bytes than the name says',
      (parts) => parts.map((part) => (part.name.startsWith('files/') ? { ...part, bytes: evil } : part)),
    ],
    ['a missing file', (parts) => parts.filter(({ name }) => !name.startsWith('files/'))],
    ['missing rows', (parts) => parts.filter(({ name }) => name !== 'rows.jsonl')],
    [
      'altered rows',
      (parts) =>
        parts.map((part) =>
          part.name === 'rows.jsonl' ? { ...part, bytes: swap(part.bytes, 'Oak', 'Ash') } : part,
        ),
    ],
    [
      'shortened rows',
      (parts) =>
        parts.map((part) =>
          part.name === 'rows.jsonl' ? { ...part, bytes: part.bytes.subarray(0, -20) } : part,
        ),
    ],
    ['no manifest', (parts) => parts.slice(1)],
    ['a later format', (parts) => manifest(parts, { version: formatVersion + 1 })],
    ['no format', (parts) => manifest(parts, { version: 'latest' })],
    ['something else altogether', () => [{ name: 'hello.txt', bytes: evil }]],
    ['a table that does not exist', (parts) => rows(parts, '{"table":"evil","row":{"id":1}}\n')],
    [
      'a column that does not exist',
      (parts) => rows(parts, '{"table":"members","row":{"id":9,"evil; drop table pages":1}}\n'),
    ],
    ['a row that is none', (parts) => rows(parts, '[]\n')],
    [
      'rows that break the rules of the database',
      (parts) => rows(parts, '{"table":"changes","row":{"id":999,"page_id":12345}}\n'),
    ],
  ])('%s', async (_what, alter) => {
    await using wiki = await filled();
    const good = join(wiki.folder, 'good.tar.gz');
    await wiki.coppice(['backup', good]);
    const bad = join(wiki.folder, 'bad.tar.gz');
    await write(bad, alter(await read(good)));
    await using other = await startWiki();
    const before = new Set(readdirSync(wiki.folder));
    const { code, out, err } = await other.coppice(['restore', bad]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^[^\n]{10,300}\n$/);
    expect(new Set(readdirSync(wiki.folder))).toEqual(before);
    expect(existsSync('/tmp/coppice-evil')).toBe(false);
    expect(await contents(other)).toEqual({
      counts: { pages: 0, changes: 0, members: 0, files: 0 },
      bytes: [],
    });
    // The refused archive leaves nothing that blocks a good one.
    expect((await other.coppice(['restore', good])).code).toBe(0);
  });

  test('the format has the number of the latest migration; later formats are refused, earlier ones are read', async () => {
    const migrations = readdirSync(new URL('../../src/store/migrations', import.meta.url)).sort();
    expect(formatVersion).toBe(Number.parseInt(migrations.at(-1) ?? '', 10));
    const written = { rows: { bytes: 0, sha256: '0'.repeat(64) }, key: null, files: 0, missing: [] };
    const manifestOf = (version: number) => JSON.stringify({ format: formatName, version, ...written });
    expect(readManifest(manifestOf(1)).version).toBe(1);
    expect(() => readManifest(manifestOf(formatVersion + 1))).toThrow(
      /^The backup was made by a later version of Coppice: [^\n]*Restore it with that version\.$/,
    );
  });

  test('files that are not an archive, or only half of one, are refused', async () => {
    await using wiki = await filled();
    const good = join(wiki.folder, 'good.tar.gz');
    await wiki.coppice(['backup', good]);
    const bytes = readFileSync(good);
    const unpacked = gunzipSync(bytes);
    for (const bad of [
      Buffer.alloc(0),
      Buffer.from('not an archive'),
      bytes.subarray(0, bytes.length / 2),
      gzipSync(unpacked.subarray(0, unpacked.length / 2)),
      gzipSync(Buffer.alloc(5000)),
      gzipSync(Buffer.from('not a tar archive'.repeat(100))),
    ]) {
      const file = join(wiki.folder, 'bad.tar.gz');
      writeFileSync(file, bad);
      await using other = await startWiki();
      const { code, err } = await other.coppice(['restore', file]);
      expect(code).toBe(1);
      expect(err).toMatch(/^(The backup cannot be restored|This is not a backup)[^\n]*\n$/);
    }
    mkdirSync(join(wiki.folder, 'folder'));
    expect((await wiki.coppice(['restore', join(wiki.folder, 'folder')])).err).toContain('folder');
    expect((await wiki.coppice(['restore', join(wiki.folder, 'nowhere')])).err).toContain('There is no file');
  });

  function swap(bytes: Buffer, from: string, to: string): Buffer {
    return Buffer.from(bytes.toString('utf8').replace(from, to));
  }

  /** Adds a line to the rows, and a manifest that matches. */
  function rows(parts: Part[], line: string): Part[] {
    const altered = parts.map((part) =>
      part.name === 'rows.jsonl' ? { ...part, bytes: Buffer.concat([part.bytes, Buffer.from(line)]) } : part,
    );
    const bytes = altered.find(({ name }) => name === 'rows.jsonl')?.bytes ?? Buffer.alloc(0);
    return manifest(altered, { rows: { bytes: bytes.length, sha256: sha256(bytes) } });
  }

  function manifest(parts: Part[], fields: object): Part[] {
    return parts.map((part) =>
      part.name === 'manifest.json'
        ? { ...part, bytes: Buffer.from(JSON.stringify({ ...JSON.parse(part.bytes.toString()), ...fields })) }
        : part,
    );
  }

  async function read(file: string): Promise<Part[]> {
    const parts: Part[] = [];
    const archive = extract();
    archive.on('entry', (header, stream, next) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: unknown) => chunks.push(chunk as Buffer));
      stream.on('end', () => {
        parts.push({ name: header.name, bytes: Buffer.concat(chunks) });
        next();
      });
    });
    await pipeline(createReadStream(file), createGunzip(), archive as unknown as NodeJS.WritableStream);
    return parts;
  }

  async function write(file: string, parts: Part[]): Promise<void> {
    const archive = pack();
    const chunks: Buffer[] = [];
    archive.on('data', (chunk: unknown) => chunks.push(chunk as Buffer));
    for (const { bytes, ...header } of parts) {
      if (header.type && header.type !== 'file') archive.entry({ ...header, size: 0 });
      else archive.entry({ ...header, size: bytes.length }, bytes);
    }
    archive.finalize();
    await new Promise((resolve) => archive.on('end', () => resolve(undefined)));
    writeFileSync(file, gzipSync(Buffer.concat(chunks)));
  }
});

async function filled(): Promise<TestWiki> {
  const wiki = await startWiki();
  await wiki.administrator();
  await using opened = await wiki.open();
  const { store, files } = opened;
  const blob = await files.store.put(Buffer.from('acorns'), 100);
  const upload = { file: { filename: 'acorns.txt', blob } };
  await createPage({ store, files, actor: ada, now: Date.now() }, { title: 'Oak', files: [upload] });
  return wiki;
}

async function contents(wiki: TestWiki) {
  await using opened = await wiki.open();
  const bytes: string[] = [];
  for await (const { hash } of opened.files.store.list()) bytes.push(hash);
  return { counts: await opened.store.maintenance.counts(), bytes };
}

async function leafIds({ store }: OpenWiki) {
  const pages = await store.maintenance.pagesAfter(0, 10_000);
  return pages.filter(({ path }) => path.startsWith('/oak/')).map(({ id }) => id);
}

async function text(bytes: AsyncIterable<Uint8Array> | undefined): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
