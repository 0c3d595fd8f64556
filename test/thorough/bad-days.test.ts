/** A full disk, a missing folder, a lost key: how a real server behaves, and what it reports. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPage } from '#core/pages/create-page.ts';
import { engines, passphrase, startWiki } from '../support/cli.ts';
import { startApp } from '../support/http.ts';
import { startServer } from '../support/serve.ts';
import { smallDisk } from '../support/small-disk.ts';

const ada = { memberId: 1, name: 'Ada Lovelace', isAdmin: true };
const json = { 'content-type': 'application/json' };

test('a full disk frees the cache so that writes continue, and readyz reports a disk that stays full', async () => {
  using disk = smallDisk('96m');
  const server = disk.spawn(process.execPath, ['src/main.ts', 'serve'], {
    COPPICE_DATA: join(disk.folder, 'data'),
    PORT: '0',
    COPPICE_RATE_LIMIT: 'off',
    LOG_LEVEL: 'error',
  });
  try {
    const { address, setup } = await welcomeOf(server);
    const ask = (path: string, body?: object, headers: Record<string, string> = {}) =>
      fetch(`${address}${path}`, {
        ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
        headers: { ...json, ...headers },
      });
    const accepted = { token: setup, email: 'ada@example.org', name: 'Ada', pass: passphrase };
    expect((await ask('/v1/invitations/accept', accepted)).status).toBe(200);
    const token = await tokenFrom(address);
    const save = async (title: string, body = 'small') =>
      (await ask('/v1/pages', { title, body }, { authorization: `Bearer ${token}` })).status;
    for (let i = 0; i < 20; i++)
      expect(await save(`Big ${i}`, `[[type: Big]] ${'text '.repeat(12_000)}${i}`)).toBe(200);

    // Responses of up to 1.2 MB each, until the cache is full.
    const free = () => figure('coppice_disk_free_bytes');
    const figure = async (name: string) =>
      Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await (await ask('/metrics')).text())?.[1]);
    for (let limit = 1; limit <= 20; limit++)
      for (let offset = 0; offset < 20; offset += 3)
        await (await ask(`/v1/pages?type=Big&limit=${limit}&offset=${offset}`)).arrayBuffer();
    expect(await figure('coppice_cache_bytes')).toBeGreaterThan(10_000_000);
    // The cache leaves a tenth of the disk free.
    expect(await free()).toBeGreaterThan(8_000_000);

    const folder = disk.seenFrom(server);
    // Stops the server, as it would free cache space, and the filler would take that, too.
    process.kill(-(server.pid ?? 0), 'SIGSTOP');
    fill(join(folder, 'filler'));
    process.kill(-(server.pid ?? 0), 'SIGCONT');
    for (let i = 0; i < 20; i++) expect(await save(`Small ${i}`)).toBe(200);
    expect((await ask('/readyz')).status).toBe(200);

    // Fills the disk before each write, as the log may have freed space.
    let status = 200;
    for (let i = 0; i < 300 && status === 200; i++) {
      fill(join(folder, 'filler'));
      status = await save(`More ${i}`, 'text '.repeat(5000));
    }
    expect(status).toBe(503);
    const full = await ask('/readyz');
    expect(full.status).toBe(503);
    expect(await full.json()).toMatchObject({ reads: 'ok', writes: 'full' });
    expect((await ask('/v1/pages/small-1')).status).toBe(200);
    const metrics = await (await ask('/metrics')).text();
    expect(metrics).toMatch(/^coppice_writes_failed_total\{reason="full"\} [1-9]/m);
    expect(metrics).toMatch(/^coppice_database_bytes [1-9]/m);

    rmSync(join(folder, 'filler'));
    await until(async () => (await ask('/readyz')).status === 200);
    expect(await save('After')).toBe(200);
  } finally {
    process.kill(-(server.pid ?? 0), 'SIGKILL');
  }
}, 300_000);

test('when the data folder disappears, writes are refused within a second, and readyz says why', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  await using server = await startServer(wiki.env);
  const data = wiki.env.COPPICE_DATA ?? '';
  const token = await tokenFrom(server.address);
  const save = (title: string, files?: object[]) =>
    fetch(`${server.address}/v1/pages`, {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${token}` },
      body: JSON.stringify({ title, ...(files ? { files } : {}) }),
    });
  expect((await save('Before')).status).toBe(200);
  expect(await (await fetch(`${server.address}/readyz`)).json()).toEqual({
    status: 'ok',
    reads: 'ok',
    writes: 'ok',
  });
  rmSync(data, { recursive: true });
  const refused = await save('After');
  expect(refused.status).toBe(503);
  expect((await refused.json()).detail).toContain('no longer exists');
  const ready = await fetch(`${server.address}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([503, expect.objectContaining({ writes: 'gone' })]);
  expect(existsSync(data)).toBe(false);
});

test('a new wiki is not created beside files or a key of another, unless requested', async () => {
  for (const left of ['key', 'files']) {
    await using wiki = await startWiki();
    const data = wiki.env.COPPICE_DATA ?? '';
    mkdirSync(join(data, 'files', 'ab'), { recursive: true, mode: 0o700 });
    if (left === 'key') {
      rmSync(join(data, 'files'), { recursive: true });
      writeFileSync(join(data, 'key'), `${'a'.repeat(43)}\n`);
    }
    const before = readdirSync(data);
    for (const args of [['serve'], ['check'], ['member', 'list']]) {
      const { code, out, err } = await wiki.coppice(args);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toMatch(
        new RegExp(`^[^\\n]*/${left} belongs to a wiki[^\\n]*COPPICE_CREATE=on[^\\n]*\\n$`),
      );
    }
    expect(readdirSync(data)).toEqual(before);
    wiki.env.COPPICE_CREATE = 'on';
    expect((await wiki.coppice(['member', 'invite', '--admin'])).code).toBe(0);
  }
});

test('a lost key is replaced with a warning if there are members, and silently in a new wiki', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  {
    await using server = await startServer({ ...wiki.env, LOG_LEVEL: 'warn' });
    expect(server.said()).not.toContain('the key is missing');
  }
  rmSync(join(wiki.env.COPPICE_DATA ?? '', 'key'));
  await using server = await startServer({ ...wiki.env, LOG_LEVEL: 'warn' });
  expect(server.said()).toContain('everybody has to sign in again');
});

test('written files are readable only by their owner, and an open data folder causes a warning', async () => {
  await using wiki = await startWiki();
  const data = wiki.env.COPPICE_DATA ?? '';
  mkdirSync(data, { mode: 0o755 });
  const said = await wiki.coppice(['check']);
  expect(said.err).toContain(`chmod o= ${data}`);
  await using server = await startServer(wiki.env);
  expect(server.said()).toContain(`chmod o= ${data}`);
  rmSync(data, { recursive: true });
  await server.stop();
  await using again = await startServer(wiki.env);
  expect(again.said()).not.toContain('chmod');
  for (const name of readdirSync(data))
    expect([name, statSync(join(data, name)).mode & 0o077]).toEqual([name, 0]);
});

test.each(engines)('metrics report sizes, queues and the age of the last backup: %s', async (engine) => {
  await using wiki = await startWiki(engine);
  await wiki.administrator();
  await using opened = await wiki.open();
  const blob = await opened.files.store.put(Buffer.from('acorns'), 1000);
  const files = [{ file: { filename: 'a.txt', blob } }];
  await createPage(
    { store: opened.store, files: opened.files, actor: ada, now: Date.now() },
    { title: 'Oak', files },
  );
  const app = await startApp(wiki.env);
  const figures = async () => {
    const { text } = await app.call('GET', '/metrics');
    return Object.fromEntries(
      [...text.matchAll(/^coppice_(\w+?) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]),
    );
  };
  const before = await figures();
  expect(before).toMatchObject({ writes_waiting: 0, mails_waiting: 0, mails_failed: 0, files_bytes: 6 });
  for (const name of [
    'disk_free_bytes',
    'database_bytes',
    ...(engine === 'SQLite' ? ['database_log_bytes'] : []),
  ])
    expect(before[name], name).toBeGreaterThan(1000);
  expect(before).not.toHaveProperty('backup_age_seconds');
  expect((await wiki.coppice(['backup', join(wiki.folder, 'a.tar.gz')])).code).toBe(0);
  const { backup_age_seconds: age = -1 } = await figures();
  expect(age).toBeGreaterThanOrEqual(0);
  expect(age).toBeLessThan(3600);
  await app.close();
});

async function tokenFrom(address: string): Promise<string> {
  const answer = await fetch(`${address}/v1/members/auth`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ email: 'ada@example.org', pass: passphrase }),
  });
  expect(answer.status).toBe(200);
  return answer.text();
}

/** Appends to the file until the disk is full. */
function fill(file: string): void {
  for (let size = 1_000_000; size >= 1; size = Math.floor(size / 10)) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(size));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(50);
}

async function welcomeOf(server: ChildProcess): Promise<{ address: string; setup: string }> {
  let said = '';
  for (const stream of [server.stdout, server.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const ended = once(server, 'exit').then(() => {
    throw new Error(`It ended:\n${said}`);
  });
  ended.catch(() => {});
  for (;;) {
    const [, address, setup] = /(http:\S+)\/setup\/(\S+)/.exec(said) ?? [];
    if (address && setup) return { address, setup };
    await Promise.race([sleep(20), ended]);
  }
}
