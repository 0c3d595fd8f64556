/** Starting, reading and administering a wiki whose disk is full or read-only, until it can be written again. */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Secret, TOTP } from 'otpauth';
import { expect, test, vi } from 'vitest';
import { passphrase } from '../support/cli.ts';
import { smallDisk } from '../support/small-disk.ts';

vi.setConfig({ testTimeout: 240_000 });

const json = { 'content-type': 'application/json' };
/** Runs commands one after the other, each when a line with it arrives, and keeps the disk mounted between them. */
const shell = 'while read -r line; do sh -c "$line"; echo "ended with $?"; done';

interface Shell {
  run(line: string): Promise<{ code: number; out: string }>;
  /** Starts a server and returns its address once it serves. */
  serve(env?: string): Promise<string>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  seen: string;
}

function shellOn(child: ChildProcess, seen: string, folder: string): Shell {
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const until = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(said);
      if (found) return found;
      await sleep(20);
    }
  };
  const coppice = `COPPICE_DATA=${join(folder, 'data')} ${process.execPath} src/main.ts`;
  return {
    seen,
    async run(line) {
      said = '';
      child.stdin?.write(`${line}\n`);
      const [all, code] = await until(/[\s\S]*ended with (\d+)\n/);
      return { code: Number(code), out: all };
    },
    async serve(env = '') {
      said = '';
      const settings = `PORT=0 COPPICE_RATE_LIMIT=off LOG_LEVEL=error ${env}`;
      child.stdin?.write(`${settings} ${coppice} serve & echo "pid $!"; wait $!\n`);
      return (await until(/ is at (http:\S+)\n|ended with/))[1] ?? expect.fail(said);
    },
    async stop(signal = 'SIGTERM') {
      const pid = /pid (\d+)/.exec(said)?.[1] ?? '';
      said = '';
      process.kill(Number(pid), signal);
      await until(/ended with/);
    },
  };
}

async function signIn(address: string, code?: string): Promise<Response> {
  const body = JSON.stringify({ email: 'ada@example.org', pass: passphrase, code });
  return fetch(`${address}/v1/members/auth`, { method: 'POST', headers: json, body });
}

/** Gives Ada a second factor. `next`: a code of the app that was not used yet. */
async function addSecondFactor(address: string, token: string) {
  const post = async (path: string, json?: object) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(json ? { 'content-type': 'application/json' } : {}),
    };
    const body = json && JSON.stringify(json);
    const answer = await fetch(`${address}/v1/members/me/second-factor${path}`, {
      ...{ method: 'POST', headers },
      ...(body ? { body } : {}),
    });
    expect(answer.status).toBe(200);
    return answer.json();
  };
  const { secret } = await post('');
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const { recoveryCodes } = await post('/confirm', { code: totp.generate() });
  return {
    recoveryCode: String(recoveryCodes[0]),
    next: () => totp.generate({ timestamp: Date.now() + 30_000 }),
  };
}

const create = (address: string, token: string, title: string) =>
  fetch(`${address}/v1/pages`, {
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${token}` },
    body: JSON.stringify({ title, body: 'Text of the page.' }),
  });

const page = async (address: string, path = '/garden') =>
  (await fetch(`${address}${path}`, { headers: { accept: 'text/html' } })).text();

test.each(['', 'COPPICE_WORKERS=2'])(
  'a wiki starts read-only on a full disk, says so, lets administrators sign in, and writes again when there is space %s',
  async (env) => {
    using disk = smallDisk('64m');
    const child = disk.spawn('sh', ['-c', shell], {});
    const on = shellOn(child, disk.seenFrom(child), disk.folder);
    try {
      await on.run('true');
      const settings = `COPPICE_DATA=${join(disk.folder, 'data')}`;
      const add = 'src/main.ts member add ada@example.org --name Ada --admin --passphrase-stdin';
      const made = await on.run(`echo "${passphrase}" | ${settings} ${process.execPath} ${add}`);
      expect(made.code, made.out).toBe(0);
      const first = await on.serve();
      const token = await (await signIn(first)).text();
      expect((await create(first, token, 'Garden')).status).toBe(200);
      const factor = await addSecondFactor(first, token);
      await on.stop();
      const filler = join(on.seen, 'filler');
      fill(filler);

      const address = await on.serve(env);
      const text = await page(address);
      expect(text).toContain('Text of the page.');
      expect(text).toContain('The disk of this wiki is full');
      expect((await fetch(`${address}/v1/pages/garden`)).status).toBe(200);
      const ready = await fetch(`${address}/readyz`);
      expect([ready.status, await ready.json()]).toEqual([
        503,
        expect.objectContaining({ reads: 'ok', writes: 'full' }),
      ]);
      const recovery = await signIn(address, factor.recoveryCode);
      expect([recovery.status, (await recovery.json()).detail]).toEqual([
        503,
        expect.stringContaining('Each works only once'),
      ]);
      const code = factor.next();
      const signedIn = await signIn(address, code);
      expect(signedIn.status).toBe(200);
      expect((await signIn(address, code)).status).toBe(401);
      const unstored = await signedIn.text();
      const audit = await fetch(`${address}/v1/audit`, { headers: { authorization: `Bearer ${unstored}` } });
      expect(audit.status).toBe(200);
      const refused = await create(address, unstored, 'Lost');
      expect([refused.status, (await refused.json()).detail]).toEqual([
        503,
        expect.stringContaining('no space on the disk'),
      ]);

      rmSync(filler);
      await expect
        .poll(async () => (await create(address, unstored, 'Found')).status, { timeout: 30_000 })
        .toBe(200);
      await expect
        .poll(async () => page(address), { timeout: 30_000 })
        .not.toContain('The disk of this wiki is full');
      await expect.poll(async () => (await fetch(`${address}/readyz`)).status, { timeout: 30_000 }).toBe(200);
      await on.stop();
    } finally {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    }
  },
);

test('a new wiki on a disk without room is refused with the reason', async () => {
  using disk = smallDisk('300k');
  const child = disk.spawn('sh', ['-c', shell], {});
  const on = shellOn(child, disk.seenFrom(child), disk.folder);
  try {
    await on.run('true');
    const coppice = `COPPICE_DATA=${join(disk.folder, 'data')} ${process.execPath} src/main.ts`;
    const refused = await on.run(`PORT=0 ${coppice} serve`);
    expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('database or disk is full')]);
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGKILL');
  }
});

test('on a full disk, backup to another disk, export, check and member list work', async () => {
  using disk = smallDisk('64m');
  const child = disk.spawn('sh', ['-c', shell], {});
  const on = shellOn(child, disk.seenFrom(child), disk.folder);
  const elsewhere = join(disk.folder, '..');
  try {
    await on.run('true');
    const settings = `COPPICE_DATA=${join(disk.folder, 'data')}`;
    const coppice = `${settings} ${process.execPath} src/main.ts`;
    await on.run(
      `echo "${passphrase}" | ${coppice} member add ada@example.org --name Ada --admin --passphrase-stdin`,
    );
    fill(join(on.seen, 'filler'));
    const target = join(elsewhere, `full-disk-${process.pid}`);
    for (const line of [
      'member list',
      'check',
      `backup ${target}.tar.gz`,
      `backup --verify ${target}.tar.gz`,
      `export --format jsonl --to ${target}.jsonl`,
      'trash list',
      'audit',
    ]) {
      const { code, out } = await on.run(`${coppice} ${line}`);
      expect([line, code], out).toEqual([line, 0]);
    }
    const refused = await on.run(`${coppice} group add Board`);
    expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('no space on the disk')]);
    execFileSync('sh', ['-c', `rm -rf ${target}*`]);
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGKILL');
  }
});

test('a wiki starts on a read-only file system, and accepts writes once it is writable', async () => {
  using disk = smallDisk('64m');
  const child = disk.spawn('sh', ['-c', shell], {});
  const on = shellOn(child, disk.seenFrom(child), disk.folder);
  try {
    await newWiki(on, disk.folder);
    expect((await on.run(`mount -o remount,ro ${disk.folder}`)).code).toBe(0);
    const address = await on.serve();
    expect(await page(address, '/')).toContain('The data of this wiki is read-only');
    const ready = await fetch(`${address}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      expect.objectContaining({ reads: 'ok', writes: 'read-only' }),
    ]);
    const token = await (await signIn(address)).text();
    expect((await create(address, token, 'Lost')).status).toBe(503);
    execFileSync('nsenter', [
      '-U',
      '-m',
      '-t',
      String(child.pid),
      '--preserve-credentials',
      'mount',
      '-o',
      'remount,rw',
      disk.folder,
    ]);
    await expect
      .poll(async () => (await create(address, token, 'Found')).status, { timeout: 30_000 })
      .toBe(200);
    await on.stop();
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGKILL');
  }
});

test('a wiki that was killed starts on a read-only file system, with what its log holds, and refuses to save', async () => {
  using disk = smallDisk('64m');
  const child = disk.spawn('sh', ['-c', shell], {});
  const on = shellOn(child, disk.seenFrom(child), disk.folder);
  try {
    const coppice = await newWiki(on, disk.folder);
    const first = await on.serve();
    const token = await (await signIn(first)).text();
    expect((await create(first, token, 'Garden')).status).toBe(200);
    await on.stop('SIGKILL');
    // Log and index are there already, so SQLite opens them to read where it cannot write them.
    const remount = (how: string) => on.run(`mount -o remount,${how} ${disk.folder}`);
    expect((await remount('ro')).code).toBe(0);
    const address = await on.serve();
    expect(await page(address)).toContain('The data of this wiki is read-only');
    const refused = await create(address, await (await signIn(address)).text(), 'Lost');
    expect([refused.status, (await refused.json()).detail]).toEqual([
      503,
      expect.stringContaining('cannot be written'),
    ]);
    await on.stop();
    const group = await on.run(`${coppice} group add Board`);
    expect([group.code, group.out]).toEqual([1, expect.stringContaining('cannot be written')]);
    expect(group.out).not.toContain('node:fs');
    await remount('rw');
    const again = await on.serve();
    expect((await create(again, token, 'Found')).status).toBe(200);
    await on.stop();
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGKILL');
  }
});

/** Makes a wiki with an administrator on the disk, and returns the command for it. */
async function newWiki(on: ReturnType<typeof shellOn>, folder: string): Promise<string> {
  await on.run('true');
  const coppice = `COPPICE_DATA=${join(folder, 'data')} ${process.execPath} src/main.ts`;
  await on.run(
    `echo "${passphrase}" | ${coppice} member add ada@example.org --name Ada --admin --passphrase-stdin`,
  );
  return coppice;
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
