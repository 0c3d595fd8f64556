/** Continuous copies: what a killed server had acknowledged is in the copy, as a whole wiki, up to the last second. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { expect, test, vi } from 'vitest';
import { loadKeys } from '#auth/keys.ts';
import { createTokens } from '#auth/token.ts';
import { runCommand, startWiki, type TestWiki } from '../support/cli.ts';
import { effort } from '../support/effort.ts';
import { startStorage } from '../support/s3.ts';
import { type Server, startServer } from '../support/serve.ts';
import { day, tokenFor } from '../support/sessions.ts';

vi.setConfig({ testTimeout: 120_000 });

interface Written {
  path: string;
  at: number;
}

async function newToken(wiki: TestWiki): Promise<string> {
  const keys = await loadKeys({ env: undefined, file: join(wiki.env.COPPICE_DATA ?? '', 'key') });
  await using opened = await wiki.open();
  return await tokenFor({ store: opened.store, tokens: createTokens(keys, Date.now, day) }, 1);
}

/** Creates pages with a file each until the server is gone. Returns what was acknowledged. */
async function writePages({ address }: Server, token: string, name: string): Promise<Written[]> {
  const written: Written[] = [];
  for (let n = 0; ; n++) {
    const path = `/page-${name}-${n}`;
    const data = Buffer.from(`note of ${path}`).toString('base64');
    const files = n % 10 === 0 ? { files: { file: { name: 'a.txt', data } } } : {};
    const body = { title: path.slice(1), body: 'leaves '.repeat(200), ...files };
    try {
      const answer = await fetch(`${address}/v1/pages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (answer.status !== 200) return written;
      written.push({ path, at: Date.now() });
    } catch {
      return written;
    }
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(20);
}

/** Set by the storage, for processes that tests start. */
function awsCredentials(): Record<string, string> {
  const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = process.env;
  return { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY };
}

/** Whether everything that was written before is in the copy. */
function isCopied(wiki: TestWiki, since = Date.now() - 60_000): boolean {
  const found = statSync(join(wiki.env.COPPICE_DATA ?? '', 'last-copy'), { throwIfNoEntry: false });
  return (found?.mtimeMs ?? 0) > since;
}

function pathsIn(wiki: TestWiki): Set<string> {
  using db = new DatabaseSync(join(wiki.env.COPPICE_DATA ?? '', 'coppice.db'), { readOnly: true });
  return new Set(
    db
      .prepare('select path from pages')
      .all()
      .map(({ path }) => String(path)),
  );
}

const deployments = [
  { workers: '2', place: 'bucket' },
  { workers: '1', place: 'folder' },
];

test.each(effort(deployments.slice(0, 1), deployments))(
  'a server with workers: $workers killed during writes is restored from a $place up to its last seconds',
  async ({ workers, place }) => {
    await using storage = await startStorage();
    const { FILES: _, ...bucket } = storage.env;
    await using wiki = await startWiki();
    const to = place === 'bucket' ? 's3:files/copies' : join(wiki.folder, 'copies');
    const env: Record<string, string> = place === 'bucket' ? { ...bucket, ...awsCredentials() } : {};
    await wiki.administrator();
    const rounds = effort(1, 20);
    const acknowledged: Written[] = [];
    for (let round = 0; round < rounds; round++) {
      const began = Date.now();
      await using server = await startServer({
        ...wiki.env,
        ...env,
        COPPICE_COPY_TO: to,
        COPPICE_WORKERS: workers,
      });
      const token = await newToken(wiki);
      const writers = [0, 1, 2].map((writer) => writePages(server, token, `${round}-${writer}`));
      await until(() => isCopied(wiki, began));
      await sleep(2000 + Math.random() * 1500);
      await server.kill();
      const killedAt = Date.now();
      const written = (await Promise.all(writers)).flat();
      acknowledged.push(...written);
      expect(written.length).toBeGreaterThan(10);

      await using restored = await startWiki('SQLite', env);
      const outcome = await restored.coppice(['restore', '--from', to]);
      expect(outcome).toEqual({ code: 0, err: '', out: expect.stringMatching(/^Restored as of /) });
      expect(await restored.coppice(['check'])).toEqual({ code: 0, err: '', out: expect.any(String) });
      const paths = pathsIn(restored);
      // A second or so; a busy machine takes longer.
      const lost = written.filter(({ path }) => !paths.has(path));
      const oldest = Math.min(killedAt, ...lost.map(({ at }) => at));
      expect(killedAt - oldest).toBeLessThan(30_000);
      for (const { path, at } of acknowledged) if (at < oldest) expect(paths).toContain(path);

      // An earlier moment.
      const middle = written[Math.floor(written.length / 2)] as Written;
      await using earlier = await startWiki('SQLite', env);
      const at = new Date(middle.at).toISOString();
      const back = await earlier.coppice(['restore', '--from', to, '--at', at]);
      if (back.code !== 0) expect(back.err).toMatch(/^The copy begins at /);
      else {
        const then = pathsIn(earlier);
        for (const { path, at } of written) if (at > middle.at + 50) expect(then).not.toContain(path);
      }
    }
  },
  300_000,
);

test('the key is copied to a recipient only, and its secret restores it', async () => {
  const identity = await generateX25519Identity();
  await using wiki = await startWiki();
  await wiki.administrator();
  const to = join(wiki.folder, 'copies');
  const env = {
    ...wiki.env,
    COPPICE_COPY_TO: to,
    COPPICE_BACKUP_RECIPIENT: await identityToRecipient(identity),
  };
  {
    await using server = await startServer({ ...env, COPPICE_METRICS: 'open' });
    await until(() => isCopied(wiki));
    const metrics = await (await fetch(`${server.address}/metrics`)).text();
    expect(metrics).toMatch(/^coppice_copy_age_seconds \d/m);
    expect(await server.stop()).toBe(0);
  }
  const key = (one: TestWiki) => join(one.env.COPPICE_DATA ?? '', 'key');
  expect(readFileSync(join(to, 'key.age'), 'utf8')).toMatch(/^age-encryption.org/);

  const file = join(wiki.folder, 'identity.txt');
  writeFileSync(file, `# secret of the wiki\n${identity}\n`);
  await using whole = await startWiki();
  expect(await whole.coppice(['restore', '--from', to, '--identity', file])).toMatchObject({
    code: 0,
    err: '',
  });
  expect(readFileSync(key(whole))).toEqual(readFileSync(key(wiki)));

  await using without = await startWiki();
  const { code, err } = await without.coppice(['restore', '--from', to]);
  expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/^The key was not restored: /) });
  expect(existsSync(key(without))).toBe(false);

  writeFileSync(file, `${await generateX25519Identity()}\n`);
  await using other = await startWiki();
  expect(await other.coppice(['restore', '--from', to, '--identity', file])).toMatchObject({
    code: 1,
    err: 'The key in the copy cannot be decrypted with this identity.\n',
  });
  // The restore is unfinished until it is repeated.
  expect((await other.coppice(['check'])).err).toContain('contains an interrupted restore');
  expect(await other.coppice(['restore', '--from', to])).toMatchObject({ code: 0 });

  // The copy is checked by restoring it, and damage to it is found.
  expect(await runCommand(['check', '--copy'], env)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Copy as of .*\nNo problems\./),
  });
  expect(existsSync(join(wiki.env.COPPICE_DATA ?? '', 'last-copy-check'))).toBe(true);
  const [run = ''] = readdirSync(join(to, 'runs'));
  for (const name of readdirSync(join(to, 'runs', run)))
    if (/^base-\d+$/.test(name)) writeFileSync(join(to, 'runs', run, name), 'damaged');
  expect((await runCommand(['check', '--copy'], env)).err).toMatch(
    /^The copy is damaged: runs\/.*base-1 cannot be read\.\n$/,
  );
});

test('a copy is refused where nothing could be restored, or something would be lost', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const nowhere = join(wiki.folder, 'nowhere');
  const inUse = await wiki.coppice(['restore', '--from', nowhere]);
  expect(inUse.err).toContain('A copy can only be restored into an empty folder');
  await using empty = await startWiki();
  for (const [args, sentence] of [
    [['--from', nowhere], 'There is no copy of a wiki, or it is not complete yet.'],
    [['--from', 's3:X'], '“s3:X” is neither a folder nor s3:BUCKET or s3:BUCKET/PREFIX.'],
    [
      ['--from', nowhere, '--at', 'yesterday'],
      '--at: expected a time like 2026-11-24T10:15:00Z, got “yesterday”.',
    ],
    [['--from', nowhere, '--identity', nowhere], `The identity ${nowhere} cannot be read.`],
  ] as const)
    expect(await empty.coppice(['restore', ...args])).toEqual({ code: 1, out: '', err: `${sentence}\n` });
  expect(existsSync(join(empty.env.COPPICE_DATA ?? '', 'restoring'))).toBe(false);
  const { err } = await runCommand(['restore', '--from', nowhere], {
    ...empty.env,
    DATABASE_URL: 'postgres://a@b/c',
  });
  expect(err).toMatch(/^DATABASE_URL: copies are of wikis on SQLite/);
});

test('an erasure is completed while the wiki is copied, and the copy goes on', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const to = join(wiki.folder, 'copies');
  await using server = await startServer({ ...wiki.env, COPPICE_COPY_TO: to });
  const headers = { authorization: `Bearer ${await newToken(wiki)}`, 'content-type': 'application/json' };
  const post = (path: string, body: object) =>
    fetch(`${server.address}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  await post('/pages', { title: 'Oak', body: 'an acorn' });
  await post('/pages/oak', { body: 'a secret' });
  await post('/pages/oak', { body: 'leaves' });
  await until(() => isCopied(wiki));
  const changes = await fetch(`${server.address}/v1/history/oak`).then((answer) => answer.json());
  const second = (changes as { id: number }[]).map(({ id }) => id).sort((a, b) => a - b)[1];
  const erased = await post('/erase', { path: '/oak', changes: [second], reason: 'asked' });
  expect(await erased.json()).toMatchObject({ pending: false });

  await post('/pages', { title: 'Elm', body: 'after the erasure' });
  const saved = Date.now();
  await until(() => isCopied(wiki, saved));
  await server.stop();
  await using restored = await startWiki();
  expect(await restored.coppice(['restore', '--from', to])).toMatchObject({ code: 0 });
  expect(await restored.coppice(['check'])).toMatchObject({ code: 0 });
  expect(pathsIn(restored)).toContain('/elm');
  expect(readFileSync(join(restored.env.COPPICE_DATA ?? '', 'coppice.db')).includes('a secret')).toBe(false);
});
